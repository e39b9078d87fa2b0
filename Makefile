# The entry points. Each one works as the only command typed on a fresh machine; the work is in scripts/.
JOBS := $(shell nproc)
T := 60

.PHONY: help deps wheels configure build programs run test test-full fuzz fuzz-tile check-unsafe check-invariance check-magika check-silero models check-models check-memory check-leaks bench-models \
        check-operators check-oracles check-duckdb check-explain check-nist bench-tea bench-sql bench-sql-mutants bench-kernels bench-launch check-certificates \
        check-runtime-links check-exports check-tutorials simulate-tea check-start check-structure format lint clean

help: ## this list
	@sed -n "s/^\\([a-z-]*\\):.* ## \\(.*\\)/\\1\\t\\2/p" $(MAKEFILE_LIST) | expand -t 22

deps: ## install what is missing on Debian 12
	@scripts/install-deps.sh

wheels: deps ## fetch the data wheels pinned in scripts/wheels.txt
	@scripts/fetch-wheels build

configure: wheels
	@cmake --preset release --log-level=WARNING >/dev/null

build: configure ## configure and build everything with the release preset in build/
	@cmake --build build -j $(JOBS)

programs: configure ## build the programs in build/bin without their tests
	@cmake --build build -j $(JOBS) --target tools/all examples/all test/models/all

run: programs ## compile a real model and classify files of this machine with it
	@examples/magika/run build

test: deps ## every test: release, address and thread sanitizers, ONNX node tests, structure
	@scripts/run-tests

test-full: deps ## test, and what takes longer or compares with other software
	@scripts/install-deps.sh --oracles
	@scripts/run-tests --full

fuzz: deps ## run each fuzz target for T seconds (make fuzz T=60)
	@scripts/fuzz $(T)

fuzz-tile: configure ## random tile kernels for T seconds: none accepted may race or leave its views
	@cmake --build build -j $(JOBS) --target fuzz-tile
	@build/bin/fuzz-tile $(T)

check-invariance: configure ## a row's result is the same bits whatever runs beside it: 1 to 512 rows, 1 to 4 threads
	@cmake --build build -j $(JOBS) --target check-invariance
	@build/bin/check-invariance

check-unsafe: configure ## traces and proves the kernel library; counts checks and unsafe regions
	@cmake --build build -j $(JOBS) --target trace-kernels
	@build/bin/trace-kernels build/kernels/library.mlir

check-magika: programs ## labels and scores against ONNX Runtime, over files of Debian packages
	@scripts/install-deps.sh --oracles
	@.venv/bin/python test/models/magika/check.py

check-silero: programs ## voice activity over a generated wave file, against ONNX Runtime
	@scripts/install-deps.sh --oracles
	@.venv/bin/python test/models/silero/check.py

check-oracles: configure ## every statistical procedure against R and SciPy on random data
	@scripts/install-deps.sh --oracles
	@cmake --build build -j $(JOBS) --target oracle-driver
	@.venv/bin/python test/oracles/check.py build/bin/oracle-driver

check-duckdb: programs ## Parquet and DuckDB files of statistics against the same data as CSV
	@scripts/install-deps.sh --oracles
	@.venv/bin/python test/oracles/check_duckdb.py build/bin/imbrex-tea

check-explain: programs ## pages of imbrex explain in a browser without a screen: drawn whole, nothing overlaps
	@scripts/install-deps.sh --oracles
	@python3 test/oracles/check_explain.py build/bin/imbrex-explain build/wheels/magika/magika/models/standard_v3_3/model.onnx \
	  build/wheels/silero-vad/silero_vad/data/silero_vad.onnx,--input-shape,input=1x576,--input-shape,state=2x1x128,--input-shape,sr= build/wheels/onnx/onnx/backend/test/data/light/light_resnet50.onnx

check-operators: configure ## random ONNX operators with odd shapes and values against ONNX Runtime
	@scripts/install-deps.sh --oracles
	@cmake --build build -j $(JOBS) --target imbrex-compile imbrex_runtime_shared
	@.venv/bin/python test/oracles/check_operators.py build

check-nist: configure ## correct digits on NIST's reference datasets
	@scripts/install-deps.sh --oracles
	@cmake --build build -j $(JOBS) --target oracle-driver
	@.venv/bin/python test/oracles/check_nist.py build/bin/oracle-driver

bench-kernels: configure ## tile kernels beside oneDNN, OpenBLAS, llama.cpp, ONNX Runtime, and what the memory gives
	@scripts/install-deps.sh --oracles
	@cmake --build build -j $(JOBS) --target bench-attention bench-kernels bench-quantized bench-streams
	@for t in 1 2; do build/bin/bench-streams --threads $$t || exit; done
	@for t in 1 2; do build/bin/bench-kernels --threads $$t --onednn .venv/lib/libdnnl.so.3 \
	  --openblas .venv/lib/python3.11/site-packages/scipy_openblas32/lib/libscipy_openblas.so || exit; done
	@for t in 1 2; do build/bin/bench-quantized --threads $$t \
	  --ggml .venv/lib/python3.11/site-packages/xllamacpp/xllamacpp.abi3.so || exit; done
	@for t in 1 2; do .venv/bin/python bench/micro/kernels/attention.py build/bin/bench-attention --threads $$t || exit; done

bench-launch: configure ## what a launch of a tile kernel costs: one by one, on a stream, in a graph
	@cmake --build build -j $(JOBS) --target bench-launch
	@build/bin/bench-launch

bench-sql: configure ## published suites of SQL pairs, with IMBREX_BENCH_DATA naming the data
	@cmake --build build -j $(JOBS) --target bench-sql
	@build/bin/bench-sql

bench-sql-mutants: configure ## mutants of these pairs: prover against refuter
	@cmake --build build -j $(JOBS) --target bench-sql-mutants
	@build/bin/bench-sql-mutants

check-certificates: configure ## certificates of all these pairs and of the rules: the checker's word, and cvc5's
	@scripts/install-deps.sh --oracles
	@cmake --build build -j $(JOBS) --target check-certificates
	@build/bin/check-certificates

bench-tea: configure ## time and memory of statistical tests on a million rows
	@cmake --build build -j $(JOBS) --target bench-tea
	@build/bin/bench-tea

models: programs
	@scripts/install-deps.sh --oracles
	@.venv/bin/python bench/models/make_models.py --onnx build/wheels/onnx/onnx/backend/test/data/light --out build/models

check-models: models ## outputs of real models against ONNX Runtime, 20 inputs each
	@.venv/bin/python bench/models/compare.py check

check-memory: models ## memory of loading and running, beside ONNX Runtime; many sizes of one model
	@.venv/bin/python bench/models/memory.py memory

check-leaks: models ## 10,000 runs of a model
	@.venv/bin/python bench/models/memory.py leaks

bench-models: models ## speed of real models beside ONNX Runtime and OpenVINO, in one process, 1 and 2 threads
	@.venv/bin/python bench/models/compare.py bench

check-runtime-links: programs ## what the runtime library is linked against
	@scripts/check-runtime-links build/lib/libimbrex-runtime.so

simulate-tea: configure ## error rates of the tests that tea chooses, 10,000 samples a cell
	@cmake --build build -j $(JOBS) --target simulate-tea
	@build/bin/simulate-tea

check-exports: configure ## exported R and Python scripts of statistics compute the same numbers
	@scripts/install-deps.sh --oracles
	@cmake --build build -j $(JOBS) --target write-example-exports
	@scripts/check-exports build

check-tutorials: configure ## valid tests and p-values of Tea's tutorials; IMBREX_BENCH_DATA holds tea/*.csv
	@test -n "$$IMBREX_BENCH_DATA" || { echo "IMBREX_BENCH_DATA must name the folder that holds tea/*.csv"; exit 2; }
	@cmake --build build -j $(JOBS) --target imbrex_stats_tutorial_test
	@build/test-bin/imbrex_stats_tutorial_test --gtest_brief=1

check-start: programs ## time from process start to answer, compiled magika
	@scripts/check-start

check-structure: ## the house rules of ARCHITECTURE.md
	@scripts/check-structure

format: deps ## clang-format every C++ file
	@git ls-files '*.h' '*.cpp' | xargs clang-format-22 -i

lint: deps ## report C++ files that clang-format would change, and house rules
	@git ls-files '*.h' '*.cpp' | xargs clang-format-22 --dry-run --Werror
	@scripts/check-structure

clean: ## remove what was built; downloads stay
	@rm -rf build build-*
