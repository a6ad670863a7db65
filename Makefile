# Thin front door; the work is done by CMake (CMakePresets.json) and tools/. Every target sets itself up (tools/setup).
.PHONY: all demo test check check-all docs site packages python wasm wasm-check playground bench format clean
JOBS ?= $(shell nproc)

# The program, the library, and the laboratory (tactus lab, tactus fuzz).
all:
	tools/setup build
	cmake --preset release >/dev/null
	cmake --build --preset release -j $(JOBS) --target tactus_program tactus_laboratory

demo: build/release/tactus
	tools/fetch_models
	build/release/tactus simulate scenes/demo.json --out out/demo
	@ls out/demo/*.html | sed 's|.*|Open it in any browser, no network needed:  xdg-open $(CURDIR)/&|'

test: release
	ctest --preset release -j $(JOBS)

check:
	tools/check

# As `check`, with clang-tidy on every file, every scene on up to 64 ranks, the Debian packages, bundled pages and the site.
check-all:
	tools/check format rules tidy_all asan tsan hash ranks_all demo browser bundlers axe python packages ompl site

# The reference of the public headers, in build/docs/html/index.html.
docs:
	tools/setup docs
	mkdir -p build
	doxygen docs/reference/Doxyfile
	@echo "Open it in any browser: xdg-open $(CURDIR)/build/docs/html/index.html"

# The pages under docs/ with the references of C++ and Python, in build/site.
site:
	tools/setup build python docs site
	/usr/bin/python3 tools/site

# Debian packages of the program, the libraries and the Python module, in build/packages.
packages:
	tools/setup build python packages
	cmake --preset packages >/dev/null
	cmake --build --preset packages -j $(JOBS) --target all _tactus python_stubs
	cd build/packages && rm -f *.deb && cpack -G DEB >/dev/null && ls *.deb

# The Python module, made of the objects of the release build, and its wheel in build/release; tested.
python:
	tools/setup build python
	cmake --preset release -DTACTUS_BUILD_PYTHON=ON -DPython3_EXECUTABLE=/usr/bin/python3 >/dev/null
	cmake --build --preset release -j $(JOBS) --target _tactus python_stubs
	PYTHONPATH=$(CURDIR)/build/release/package /usr/bin/python3 -B -m pytest -q -p no:cacheprovider bindings/python/tests
	/usr/bin/python3 bindings/python/wheel.py build/release/package build/release

# The floors below io in WebAssembly: their unit tests in Node.js, with the bits of the native library.
wasm-check:
	tools/wasm_check

# The npm package in build/wasm/npm, compared with the native program and used from a folder of its own.
wasm:
	tools/wasm_build --test

# The pages in the browser, in build/playground; they also open from there as files.
playground:
	tools/wasm_build
	node playground/build.mjs
	node playground/serve.mjs build/playground $(PORT)

bench: release
	tools/setup bench
	cmake --preset release -DTACTUS_BUILD_BENCH=ON >/dev/null
	cmake --build --preset release -j $(JOBS) --target bench_all
	build/release/bench/tactus_bench
	build/release/bench/tactus_peers | grep -v '^WARNING: P' | tee docs/results/speed.md
	tools/fetch_models
	[ ! -x build/release/bench/tactus_peers_mesh ] || build/release/bench/tactus_peers_mesh | tee docs/results/mesh-speed.md
	build/release/bench/tactus_peers_broad --million | tee docs/results/broad-speed.md
	build/release/bench/tactus_peers_pile | tee docs/results/pile-speed.md
	build/release/bench/tactus_peers_pile --sizes | tee docs/results/world-size.md
	build/release/bench/tactus_peers_pile --curves | tee docs/results/pile-curves.md && tools/draw_curves.py
	build/release/bench/tactus_peers_terrain --large | tee docs/results/terrain-speed.md
	[ ! -x build/release/bench/tactus_peers_hull ] || build/release/bench/tactus_peers_hull | tee docs/results/hull-speed.md
	[ ! -x build/release/bench/tactus_peers_planar ] || build/release/bench/tactus_peers_planar | tee docs/results/planar-speed.md
	[ ! -x build/release/bench/tactus_peers_minkowski ] || build/release/bench/tactus_peers_minkowski | tee docs/results/planar-minkowski.md

format:
	tools/setup format
	tools/sources | xargs clang-format-19 -i

clean:
	rm -rf build out

.PHONY: release build/release/tactus
release build/release/tactus:
	tools/setup build
	cmake --preset release >/dev/null
	cmake --build --preset release -j $(JOBS) $(if $(filter build/%,$@),--target tactus_program)
