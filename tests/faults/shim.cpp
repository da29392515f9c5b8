// Loaded before the C library (LD_PRELOAD): one call of one kind fails, the others go through.
//
//   MOTMOT_FAULT=write:3:ENOSPC   the third call of that kind fails like this
//   MOTMOT_FAULT=write:3:short    the third write takes half of the bytes
//   MOTMOT_FAULT_TOLD=FILE        a byte is added to it when that happens
//
// Kinds: open (of a file for writing), write (to files, not to standard output), fsync, rename, thread,
// malloc.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

extern "C" void* __libc_malloc(std::size_t size);

namespace {

struct Fault {
  char kind[16] = "";
  long at = -1;
  int error = 0;
  bool is_short = false;
  char told[4096] = "";

  Fault() {
    const char* text = std::getenv("MOTMOT_FAULT");
    if (text == nullptr) return;
    const char* number = std::strchr(text, ':');
    const char* what = number != nullptr ? std::strchr(number + 1, ':') : nullptr;
    if (what == nullptr || number - text > 15) std::abort();
    std::memcpy(kind, text, static_cast<std::size_t>(number - text));
    at = std::strtol(number + 1, nullptr, 10);
    is_short = std::strcmp(what + 1, "short") == 0;
    error = std::strcmp(what + 1, "ENOSPC") == 0   ? ENOSPC
            : std::strcmp(what + 1, "EDQUOT") == 0 ? EDQUOT
            : std::strcmp(what + 1, "EAGAIN") == 0 ? EAGAIN
            : std::strcmp(what + 1, "ENOMEM") == 0 ? ENOMEM
                                                   : EIO;
    if (const char* file = std::getenv("MOTMOT_FAULT_TOLD")) std::strncpy(told, file, sizeof told - 1);
  }
};

std::atomic<long> calls{0};
std::atomic<bool> ready{false};

const Fault& fault() {
  static const Fault one;
  return one;
}

bool now(const char* kind) {
  if (!ready.load() || std::strcmp(kind, fault().kind) != 0) return false;
  if (calls.fetch_add(1) + 1 != fault().at) return false;
  const long fd = syscall(SYS_openat, AT_FDCWD, fault().told, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd >= 0) {
    syscall(SYS_write, fd, "!", 1);
    syscall(SYS_close, fd);
  }
  errno = fault().error;
  return true;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

/// Before main() nothing fails: loader and static objects have nobody to tell.
int ready_main(int count, char** words, char** environment) {
  (void)fault();
  ready.store(true);
  return real_main(count, words, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int count, char** words, void (*init)(), void (*fini)(), void (*unload)(),
                      void* stack) {
  real_main = main;
  return real<int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*)>("__libc_start_main")(
      ready_main, count, words, init, fini, unload, stack);
}

void* malloc(std::size_t size) {
  if (now("malloc")) return nullptr;
  return __libc_malloc(size);
}

ssize_t write(int fd, const void* bytes, std::size_t size) {
  if (fd > 2 && now("write")) {
    if (!fault().is_short) return -1;
    size = size / 2 + 1 < size ? size / 2 + 1 : size;
  }
  return syscall(SYS_write, fd, bytes, size);
}

int fsync(int fd) { return now("fsync") ? -1 : static_cast<int>(syscall(SYS_fsync, fd)); }

int rename(const char* from, const char* to) {
  return now("rename") ? -1 : static_cast<int>(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  if ((flags & (O_WRONLY | O_RDWR)) != 0 && now("open")) return -1;
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*work)(void*), void* with) {
  if (now("thread")) return fault().error;
  return real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create")(thread, how,
                                                                                                 work, with);
}
}
