#!/usr/bin/env bash
# Installs what a build and the tests need on Debian 12. Nothing happens, and no package list is fetched,
# when all of it is there already.
#
#   scripts/install-deps.sh             install what is missing (as root, or through sudo)
#   scripts/install-deps.sh --check     only report; exit 1 when something is missing
#   scripts/install-deps.sh --oracles   also R, and a .venv with the pinned packages, that some tests compare with
set -euo pipefail
cd "$(dirname "$0")/.."

# One package a line, with the reason for it.
packages() {
  sed -e 's/#.*//' -e '/^ *$/d' <<'LIST'
git                  # the checkout; version stamps
make                 # the entry points: make run, make test
cmake                # build description
ninja-build          # build
ccache               # repeated builds
binutils             # readelf: what a library links against
clang-22             # the compiler of all C++ here
libclang-rt-22-dev   # sanitizers and libFuzzer
lld-22               # the linker
liblld-22-dev        # lld as a library: links the code of an artifact in process
llvm-22-dev          # code generation
llvm-22-tools        # FileCheck and lit
libmlir-22-dev       # the compiler's IR
mlir-22-tools        # mlir-tblgen
clang-format-22      # make format
zlib1g-dev           # LLVM's CMake files look for it
libzstd-dev          # LLVM's CMake files look for it
libxml2-dev          # LLVM's CMake files look for it
libprotobuf-dev      # .onnx files: lite runtime
protobuf-compiler    # .onnx files: generated reader
libflatbuffers-dev   # .imx metadata: header-only reader
flatbuffers-compiler # .imx metadata: generated reader
libcli11-dev         # command lines of the tools
nlohmann-json3-dev   # JSON in and out
libz3-dev            # proofs and test selection: SMT
libsqlite3-dev       # counterexamples run on it; tables of studies
libboost1.81-dev     # Boost.Math: distributions
libeigen3-dev        # least squares
libjpeg62-turbo-dev  # ImageDecoder: JPEG
libpng-dev           # ImageDecoder: PNG
libtiff-dev          # ImageDecoder: TIFF
libwebp-dev          # ImageDecoder: WebP
libopenjp2-7-dev     # ImageDecoder: JPEG 2000
libgtest-dev         # unit tests
libonnx-testdata     # ONNX node tests
python3              # scripts and end-to-end tests
python3-venv         # .venv of --oracles
python3-pip          # fetching the pinned wheels
ca-certificates      # fetching the pinned wheels
unzip                # unpacking the pinned wheels
xz-utils             # tests read published suites of SQL pairs, where there is data for benchmarks
LIST
}

# What only checks against other software need: --oracles installs it.
oraclePackages() {
  sed -e 's/#.*//' -e '/^ *$/d' <<'LIST'
cvc5                  # make check-certificates: asked again what the prover had asked Z3
coq                   # make check-certificates: certificates as proofs for coqc
r-base-core           # make check-exports, make check-oracles: R as a black box
r-cran-coin           # exact conditional p-values
r-cran-exactranktests # exact rank tests with ties
r-cran-car            # Type II and III sums of squares, Levene
r-cran-jsonlite       # requests of test/oracles/check.py
r-cran-afex           # repeated measures and mixed designs
chromium              # make check-explain: a browser without a screen opens the pages
libpython3.11         # make check-duckdb, make bench-kernels: libraries in Python wheels want its symbols
LIST
}

say() { printf '%s\n' "$*"; }
die() { printf 'install-deps: %s\n' "$*" >&2; exit 1; }

# Prints which of the packages that the function $1 lists are not installed.
missingPackages() {
  local names installed
  mapfile -t names < <("$1" | awk '{print $1}')
  installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "${names[@]}" 2>/dev/null |
    sed -n 's/^ii *//p' | sort -u) || true
  comm -23 <(printf '%s\n' "${names[@]}" | sort -u) <(printf '%s\n' "$installed")
}

# Prints the sources.list lines that are not configured. The toolchain is in the security suite.
missingSources() {
  local releases mirror
  releases=$(apt-get indextargets --format '$(RELEASE)' 2>/dev/null | sort -u)
  mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 2>/dev/null |
    awk '$1 == "bookworm" || $1 == "stable" || $1 == "oldstable" {print $2; exit}')
  mirror=${mirror%/}
  grep -qxE 'bookworm|(old)?stable' <<<"$releases" ||
    say "deb ${mirror:-<your Debian mirror>/debian} bookworm main"
  grep -qxE '(bookworm|(old)?stable)-security' <<<"$releases" ||
    say "deb ${mirror:-<your Debian mirror>/debian}-security bookworm-security main"
}

# apt knows a source only after its lists were fetched once: run apt-get update before.
checkSources() {
  local lines
  lines=$(missingSources)
  [ -z "$lines" ] && return
  say "These lines are missing in /etc/apt/sources.list:" >&2
  say "$lines" >&2
  die "add them, run apt-get update, and start again"
}

installPackages() {
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "missing: $*
as root, run: apt-get update && apt-get install --no-install-recommends $*"
    sudo=(sudo)
  fi
  command -v apt-get >/dev/null || die "this needs Debian 12 (apt-get was not found)"
  say "installing: $*"
  retry "${sudo[@]}" apt-get update -q || die "apt-get update failed: see its messages above"
  checkSources
  retry "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" ||
    die "apt-get could not install all of: $*"
}

# Package mirrors fail now and then.
retry() {
  local try
  for try in 1 2 3; do
    "$@" && return 0
    [ "$try" = 3 ] || sleep $((try * 5))
  done
  return 1
}

# The packages that results are compared with. Nothing of the product needs them.
installOracles() {
  local wanted=scripts/requirements-oracles.txt stamp=.venv/requirements.sha256
  local sum missing
  mapfile -t missing < <(missingPackages oraclePackages)
  [ ${#missing[@]} -eq 0 ] || installPackages "${missing[@]}"
  sum=$(sha256sum <"$wanted")
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ]; then
    return
  fi
  python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
    die "$wanted is pinned for Python 3.11, and python3 is $(python3 -V | cut -d' ' -f2)"
  python3 -m venv --clear .venv
  retry .venv/bin/pip install -q --no-deps --require-hashes -r "$wanted" ||
    die "the packages of $wanted could not be fetched"
  printf '%s\n' "$sum" >"$stamp"
}

oracles=no
checkOnly=no
for argument in "$@"; do
  case "$argument" in
    --check) checkOnly=yes ;;
    --oracles) oracles=yes ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) printf 'install-deps: unknown argument %s; try --help\n' "$argument" >&2; exit 2 ;;
  esac
done

mapfile -t missing < <(missingPackages packages)
if [ "$checkOnly" = yes ]; then
  [ ${#missing[@]} -eq 0 ] && { say "install-deps: nothing is missing"; exit 0; }
  say "install-deps: missing: ${missing[*]}"
  lines=$(missingSources)
  [ -z "$lines" ] || { say "install-deps: add to /etc/apt/sources.list:"; say "$lines"; }
  exit 1
fi
[ ${#missing[@]} -eq 0 ] || installPackages "${missing[@]}"
[ "$oracles" = no ] || installOracles
