#include "data/times.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <sstream>

namespace motmot {
namespace {

constexpr double day_length = 86400;

/// A text that is used up from its start.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  /// The character, if it comes next.
  bool take(char next) {
    if (!rest_.starts_with(next)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// So many digits that make a number in [low, high].
  std::optional<int> digits(std::size_t count, int low, int high) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = 10 * value + (c - '0');
    }
    if (value < low || value > high) return std::nullopt;
    rest_.remove_prefix(count);
    return value;
  }
  /// What the digits behind a decimal sign add up to.
  std::optional<double> fraction() {
    double value = 0, place = 1;
    std::size_t count = 0;
    for (; count < rest_.size() && '0' <= rest_[count] && rest_[count] <= '9'; ++count)
      value += (place /= 10) * (rest_[count] - '0');
    rest_.remove_prefix(count);
    return count > 0 ? std::optional(value) : std::nullopt;
  }

 private:
  std::string_view rest_;
};

std::optional<double> scan_day(Scan& scan) {
  const auto year = scan.digits(4, 0, 9999);
  if (!year || !scan.take('-')) return std::nullopt;
  const auto month = scan.digits(2, 1, 12);
  if (!month || !scan.take('-')) return std::nullopt;
  const auto day = scan.digits(2, 1, 31);
  if (!day) return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return day_length * static_cast<double>(sys_days(date).time_since_epoch().count());
}

/// Hours and minutes, seconds and their fraction if they are there.
std::optional<double> scan_clock(Scan& scan) {
  const auto hours = scan.digits(2, 0, 23);
  if (!hours || !scan.take(':')) return std::nullopt;
  const auto minutes = scan.digits(2, 0, 59);
  if (!minutes) return std::nullopt;
  const double whole = 3600.0 * *hours + 60.0 * *minutes;
  if (!scan.take(':')) return whole;
  const auto seconds = scan.digits(2, 0, 60);
  if (!seconds) return std::nullopt;
  if (!scan.take('.') && !scan.take(',')) return whole + *seconds;
  const auto part = scan.fraction();
  return part ? std::optional(whole + *seconds + *part) : std::nullopt;
}

/// Seconds that the zone is ahead of UTC.
std::optional<double> scan_zone(Scan& scan) {
  if (scan.done() || scan.take('Z') || scan.take('z')) return 0;
  const bool behind = scan.take('-');
  if (!behind && !scan.take('+')) return std::nullopt;
  const auto hours = scan.digits(2, 0, 23);
  if (!hours) return std::nullopt;
  const bool colon = scan.take(':');
  const auto minutes = scan.done() && !colon ? std::optional(0) : scan.digits(2, 0, 59);
  if (!minutes) return std::nullopt;
  return (behind ? -1 : 1) * (3600.0 * *hours + 60.0 * *minutes);
}

std::string padded_number(std::int64_t value, std::size_t width) {
  std::string text = std::to_string(value);
  return text.size() < width ? text.insert(0, width - text.size(), '0') : text;
}

}  // namespace

std::optional<double> parse_time(std::string_view text) {
  Scan scan(text);
  const auto day = scan_day(scan);
  if (!day || scan.done()) return day;
  if (!scan.take('T') && !scan.take(' ') && !scan.take('t')) return std::nullopt;
  const auto clock = scan_clock(scan);
  if (!clock) return std::nullopt;
  const auto ahead = scan_zone(scan);
  if (!ahead || !scan.done()) return std::nullopt;
  return *day + *clock - *ahead;
}

std::string time_text(double seconds) {
  const double day = std::floor(seconds / day_length);
  using namespace std::chrono;
  constexpr double first = sys_days(year(0) / January / 1).time_since_epoch().count(),
                   last = sys_days(year(9999) / December / 31).time_since_epoch().count();
  if (!(day >= first && day <= last)) {  // parse_time() knows no such year, either
    std::ostringstream text;
    text << seconds << " s after 1970-01-01";
    return text.str();
  }
  const auto micros = static_cast<std::int64_t>(std::llround(1e6 * (seconds - day * day_length)));
  if (micros == std::llround(1e6 * day_length)) return time_text((day + 1) * day_length);
  const year_month_day date{sys_days(days(static_cast<int>(day)))};
  std::string text = padded_number(int(date.year()), 4) + "-" + padded_number(unsigned(date.month()), 2) +
                     "-" + padded_number(unsigned(date.day()), 2);
  if (micros == 0) return text;
  const std::int64_t second = micros / 1'000'000;
  text += "T" + padded_number(second / 3600, 2) + ":" + padded_number(second / 60 % 60, 2) + ":" +
          padded_number(second % 60, 2);
  if (micros % 1'000'000 == 0) return text + "Z";
  text += "." + padded_number(micros % 1'000'000, 6);
  text.erase(text.find_last_not_of('0') + 1);
  return text + "Z";
}

}  // namespace motmot
