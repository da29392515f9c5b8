"""The page that real_data.py writes: errors, rates and words of its results."""
import motmot
import numpy as np
from real_tables import CLASSES, DIRT, TEXTBOOK
from scipy.stats import beta

METHODS = {
    "company": "our answer",
    "mom": "the paper's estimator, `--estimator mom`",
    "plain": "exact W1 of all rows",
    "forest": "scikit-learn's isolation forest leaves the share tau of each sample out, then exact W1",
    "LOF": "the same by its local outlier factor, 20 neighbours (the default)",
    "LOF k": "the same with ceil(tau n) + 1 neighbours, as our answer takes",
    "winsor": "every column of each sample winsorised by tau at both ends, then exact W1",
    "partial": "partial transport of all rows, the share tau of both free (a lower bound)",
}


# ------------------------------------------------------------------------------------------------ tables

def errors(results, method):
    """|error| in % of the truth."""
    return np.array([100 * abs(result["values"][method] / result["truth"] - 1) for result in results])


def shown(number):
    return f"{number:.0f}" if number >= 99.95 else f"{number:.1f}"


def three(results, method):
    """Median, mean of the errors capped at 100, 90 % quantile; and the mean, to compare."""
    found = errors(results, method)
    mean = np.minimum(found, 100).mean()
    return " / ".join(map(shown, (np.median(found), mean, np.quantile(found, 0.9)))), mean


def line(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def heading(*cells):
    return [line(*cells), line(*["---"] * len(cells))]


def methods_line(name, results):
    """One line of errors; bold where a mean is below that of our answer, as it is printed."""
    ours = three(results, "company")[1]
    words = []
    for method in METHODS:
        text, mean = three(results, method)
        words.append(f"**{text}**" if float(shown(mean)) < float(shown(ours)) else text)
    return line(*name, *words)


def by(results, *names):
    """Results with the same values of these fields, in order of appearance."""
    groups = {}
    for result in results:
        groups.setdefault(tuple(result[name] for name in names), []).append(result)
    return groups


def limits(count, of):
    """Clopper and Pearson's 95 % limits of a rate, in %."""
    low = beta.ppf(0.025, count, of - count + 1) if count else 0
    high = beta.ppf(0.975, count + 1, of - count) if count < of else 1
    return f"{count} of {of} ({100 * low:.0f}-{100 * high:.0f} %)"


def covers(result, which):
    slack = 1e-9 * result["truth"]  # rounding
    return result[which][0] - slack <= result["truth"] <= result[which][1] + slack


def interval_line(name, results):
    widths = [np.median([50 * (r[which][1] - r[which][0]) / r["truth"] for r in results])
              for which in ("interval", "paper_interval")]
    both = [limits(sum(covers(r, which) for r in results), len(results)) for which in ("interval", "paper_interval")]
    return line(name, both[0], shown(widths[0]), both[1], shown(widths[1]), f"{widths[0] / widths[1]:.2f}")


def is_off(result):
    return errors([result], "company")[0] > 10


def says(result, *codes):
    return bool(set(codes) & set(result["said"]))


def words_line(name, results):
    off, near = ([r for r in results if is_off(r) == wanted] for wanted in (True, False))

    def rate(runs, *codes):
        return limits(sum(says(r, *codes) for r in runs), len(runs)) if runs else "none"
    counts = [sum(says(r, code) for r in off) for code in ("tau_small", "remote_rows", "readings")]
    return line(name, len(results), len(off), rate(off, "tau_small", "remote_rows", "readings"), *counts,
                rate(near, "tau_small", "remote_rows"), rate(near, "readings"))


def rows_left_out(results):
    """Wrong rows found of those there are, and right rows lost of those there are (both samples), means in %."""
    wrong = sum(r["wrong"] for r in results)
    right = sum(r["n"] + r["m"] - r["wrong"] for r in results)
    return [f"{100 * sum(r['found'] for r in results) / wrong:.0f}" if wrong else "",
            f"{100 * sum(r['lost'] for r in results) / right:.2f}"]


# -------------------------------------------------------------------------------------------------- page

def tau_is_enough(result):
    return result["wrong"] <= result["tau"] * result["n"]


def name_of(result):
    return f"{result['table']} ({result['n']}/{result['m']}, d = {result['d']}, {result['wrong']} wrong)"


def planted_part(results):
    yield "## Planted dirt"
    yield ""
    yield "Each run takes nine tenths of the rows at random; 8 % of the rows of X (none of Y) are then made wrong; tau = 0.1 is told."
    yield "`digits, shares` has the digits 0, 1, 2 in shares 50, 30, 20 % in X and 20, 30, 50 % in Y. Digits are in their own units,"
    yield "all other columns divided by their spread (`scale=\"robust\"`, found with the wrong rows in)."
    yield ""
    for name, make in DIRT.items():
        if make:
            yield f"- `{name}`: {make.__doc__}"
    yield ""
    yield "|error| in % of the inliers' W1: median / mean of the errors capped at 100 / 90 % quantile. Bold: mean below that of our answer."
    yield ""
    yield from heading("table (n/m, d)", *METHODS)
    for group in by(results, "table").values():
        first = group[0]
        yield methods_line([f"{first['table']} ({first['n']}/{first['m']}, {first['d']})"], group)
    for (dirt,), group in by(results, "dirt").items():
        yield methods_line([f"all tables, {dirt}"], group)
    yield methods_line([f"all {len(results)} runs"], results)
    yield ""
    yield from heading("dirt", "wrong rows left out %", "right rows left out %")
    for (dirt,), group in by(results, "dirt").items():
        yield line(dirt, *rows_left_out(group))
    yield ""


def real_part(results):
    yield "## Real dirt"
    yield ""
    yield "- **Another class** (R's mlbench): right rows are dealt at random into two halves, so that both have one law; 8 % of X, or"
    yield "  all there are, come from a class of their own. " + "; ".join(
        f"{name}: {', '.join(wrong) if len(wrong) < 9 else 'the other letters'}" + (f" among {', '.join(right)}" if right else "")
        for name, (_, _, right, wrong) in CLASSES.items()) + "."
    yield "- **Reported heights** (R's dslabs): numeric answers of students against the cleaned heights of the same package, one column,"
    yield "  in inches; wrong are answers below 50 or above 84: feet, centimetres, nonsense. Nothing is drawn: one run."
    yield "- **Textbook tables** (R's robustbase) as published; Y has the right rows, moved by one standard deviation a column in a"
    yield "  direction drawn by the seed. Wrong rows, from 1: " + "; ".join(
        f"{table} {', '.join(map(str, rows))}" for table, rows in TEXTBOOK.items()) + " (hbk, wood, starsCYG as published; bushfire and milk: those usually named)."
    yield ""
    yield "All columns divided by their spread, but for the heights. tau = 0.1 is told, and a tau that is enough where the true share of wrong"
    yield "rows is larger. |error| in %: median / mean of the errors capped at 100 / 90 % quantile. Bold: mean below that of our answer."
    yield ""
    yield from heading("table", "tau", "wrong rows left out %", "right rows left out %", *METHODS)
    for (_, _, tau), group in by(results, "group", "table", "tau").items():
        yield methods_line([name_of(group[0]), tau if tau_is_enough(group[0]) else f"{tau} (too small)", *rows_left_out(group)],
                           group)
    for title, group in groups_of(results):
        yield methods_line([f"{len(group)} runs: {title}", "", *rows_left_out(group)], group)
    yield ""


def groups_of(results):
    """Titles and results of the groups whose rates are counted."""
    real = [r for r in results if r["group"] != "planted"]
    groups = [("planted dirt", [r for r in results if r["group"] == "planted"]),
              ("another class", [r for r in real if r["group"] == "classes"]),
              ("heights and textbook tables, tau enough", [r for r in real if r["group"] != "classes" and tau_is_enough(r)]),
              ("heights and textbook tables, tau too small", [r for r in real if not tau_is_enough(r)]),
              ("all real dirt, tau enough", [r for r in real if tau_is_enough(r)]),
              ("all real dirt", real)]
    return [(title, group) for title, group in groups if group]


def rates_part(results):
    yield "## The interval"
    yield ""
    yield "How often it holds the inliers' W1 (95 % limits of the rate by Clopper and Pearson), and the median half-width in % of that W1;"
    yield "of our answer and of the paper's estimator. Last: the quotient of the half-widths. Runs of one table share most of their rows"
    yield "and so succeed or fail together: the limits, which take them for independent, are too narrow."
    yield ""
    yield from heading("", "holds", "half-width", "paper's bar holds", "half-width", "quotient")
    for title, group in groups_of(results):
        yield interval_line(title, group)
    yield ""
    missed = by([r for r in results if tau_is_enough(r) and not covers(r, "interval")], "table", "dirt")
    if missed:
        yield "Misses of our interval where tau is enough (right rows left out, a mean over these runs): " + "; ".join(
            f"{table}, {dirt}: {len(group)} ({np.mean([r['lost'] for r in group]):.1f})" for (table, dirt), group in missed.items()) + "."
        yield ""
    yield "## Does the answer say that it is unsure?"
    yield ""
    yield "It does when it warns that tau may be too small (`tau_small`), that remote rows carry the distance (`remote_rows`), or gives two"
    yield "readings of rows that lie together. Counted in the runs that are off by more than 10 %, and in the others, where the two warnings"
    yield "are false alarms. Two readings are not: nobody can tell from the data whether a group of rows is wrong."
    yield ""
    yield from words_table(results)
    yield ""


def words_table(results):
    yield from heading("", "runs", "off by > 10 %", "of these unsure", "tau_small", "remote_rows", "readings",
                       "others: tau_small or remote_rows", "others: readings")
    for title, group in groups_of(results):
        yield words_line(title, group)
    for (_, table, tau), group in by([r for r in results if r["group"] != "planted"], "group", "table", "tau").items():
        yield words_line(f"{table}, tau {tau}", group)


def words_part(results):
    yield "## What it says on real dirt"
    yield ""
    yield "The first run of each; the inliers' W1 is what the first line should have."
    for (_, table, tau), group in by(results, "group", "table", "tau").items():
        first = group[0]
        yield ""
        yield f"{name_of(first)}, tau = {tau}, seed {first['seed']}: inliers' W1 {first['truth']:.4g}, forest {first['values']['forest']:.4g}"
        yield ""
        sentences = [part for part in first["text"].split("\n\n") if not part.lstrip().startswith("column ")]
        yield from ("    " + text.strip() for text in "\n".join(sentences).splitlines() if text.strip())
    yield ""


def page(results, seeds):
    yield "# Real tables, planted and real dirt"
    yield ""
    yield "Made by"
    yield ""
    yield "    scripts/setup --data"
    yield f"    PYTHONPATH=build/release/python study/real_data.py --seeds {len(seeds)} --first {seeds[0]}"
    yield ""
    yield "Truth is the exact W1 of the same two samples without their wrong rows, in the same units: an empirical distance, not one of laws."
    yield f"Seeds {seeds[0]} to {seeds[-1]}, motmot {motmot.__version__}. All methods are told the same tau, for both samples:"
    yield ""
    for method, meaning in METHODS.items():
        yield f"- `{method}`: {meaning}"
    yield ""
    yield from planted_part([r for r in results if r["group"] == "planted"])
    real = [r for r in results if r["group"] != "planted"]
    if real:
        yield from real_part(real)
    yield from rates_part(results)
    if real:
        yield from words_part(real)
