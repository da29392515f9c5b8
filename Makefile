# Thin, over the CMake presets. `make demo` and `make test` are all that a fresh machine needs.
PRESET ?= release
JOBS ?= $(shell nproc)
PYTHON := /usr/bin/python3

.PHONY: help demo test bench check format install build clean

help:
	@echo "make demo     set up, build, compare two contaminated samples"
	@echo "make test     set up, build and run every test"
	@echo "make bench    compare our speed with the peers'"
	@echo "make check    sanitizers, clang-tidy, format, layers"
	@echo "make format   clang-format every file"
	@echo "make install  install into PREFIX (default /usr/local)"

demo:
	@scripts/setup
	@cmake --preset release -DMOTMOT_TESTS=OFF -DMOTMOT_BENCH=OFF -DMOTMOT_PYTHON=OFF -B build/demo > build-demo.log 2>&1 || { cat build-demo.log; rm -f build-demo.log; exit 1; }
	@rm -f build-demo.log
	@cmake --build build/demo -j $(JOBS) --target motmot_app
	@scripts/demo build/demo/bin/motmot

build:
	@cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) -j $(JOBS)

test:
	@scripts/setup --all
	@$(MAKE) --no-print-directory build PRESET=release
	@ctest --preset release

bench:
	@scripts/setup --all
	@$(MAKE) --no-print-directory build PRESET=release
	@bench/run build/release

check:
	@scripts/setup --all
	@scripts/check

format:
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

install:
	@scripts/setup
	@cmake --preset release -DMOTMOT_TESTS=OFF -DMOTMOT_BENCH=OFF -B build/install
	@cmake --build build/install -j $(JOBS)
	@cmake --install build/install $(if $(PREFIX),--prefix $(PREFIX))

clean:
	@rm -rf build
