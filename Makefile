# Thin, over the CMake presets. `make demo` and `make test` are all that a fresh machine needs.
PRESET ?= release
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# One build serves demo, test, bench and install. Tests and benchmarks join it when `make build` or `make test` asks for them.
RELEASE := build/release
LEAN := test -f $(RELEASE)/build.ninja || cmake --preset release -DMOTMOT_TESTS=OFF -DMOTMOT_BENCH=OFF

.PHONY: help demo build test bench check fuzz fresh format install uninstall clean

help:
	@echo "make demo        set up, build, compare two contaminated samples"
	@echo "make test        set up, build and run every test"
	@echo "make build       build a preset: PRESET=release (default), dev, asan or tsan"
	@echo "make bench       compare our speed with the peers'"
	@echo "make check       format, layers, sanitizers, clang-tidy, injected faults, other solvers"
	@echo "make fuzz        feed every reader and solver with libFuzzer's inputs: SECONDS=60 for each (default)"
	@echo "make fresh       try demo and test on a bare Debian 12 (needs root)"
	@echo "make format      clang-format every file"
	@echo "make install     install what was built into PREFIX (default /usr/local); DESTDIR is put in front of it"
	@echo "make uninstall   remove what 'make install' with the same PREFIX and DESTDIR put there"
	@echo "make clean       remove build/"
	@echo "JOBS=N           compile with N processes (default: one for each core, $(JOBS) here)"
	@echo
	@echo "Options of CMake (cmake --preset release -D...=OFF):"
	@sed -n 's/^option(\(MOTMOT_[A-Z]*\) "\(.*\)" \(ON\|OFF\))/\1 \2/p' CMakeLists.txt | while read -r name text; do printf '  %-20s %s\n' "$$name" "$$text"; done

demo:
	@scripts/setup
	@mkdir -p build && { $(LEAN); } > build/demo.log 2>&1 || { cat build/demo.log; exit 1; }
	@cmake --build $(RELEASE) -j $(JOBS) --target motmot_app
	@scripts/demo $(RELEASE)/bin/motmot

build:
	@cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) -j $(JOBS)

test:
	@scripts/setup --all
	@$(MAKE) --no-print-directory build PRESET=release
	@ctest --preset release -j $(JOBS)

bench:
	@scripts/setup --all
	@$(MAKE) --no-print-directory build PRESET=release
	@bench/run $(RELEASE)

check:
	@scripts/setup --all
	@scripts/check

fuzz:
	@scripts/setup --all
	@scripts/fuzz $(or $(SECONDS),60)

fresh:
	@scripts/fresh

format:
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

install:
	@scripts/setup
	@$(LEAN)
	@cmake $(RELEASE) -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX)) > /dev/null
	@cmake --build $(RELEASE) -j $(JOBS) --target ship
	@cmake --install $(RELEASE)
	@scripts/uninstall --record $(RELEASE) $(abspath $(PREFIX))

uninstall:
	@scripts/uninstall $(RELEASE) $(abspath $(PREFIX))

clean:
	@rm -rf build
