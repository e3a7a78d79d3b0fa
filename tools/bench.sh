#!/bin/sh
# Builds the benchmarks and prints their table; BENCH_ROUNDS sets the rounds (empty: each one's own).
set -eu
cd "$(dirname "$0")/.."
CC=${CC:-cc} tools/configure.sh build-bench --buildtype=release -Dtests=disabled
ninja -C build-bench --quiet
exec python3 -B bench/run.py ${BENCH_ROUNDS:+--rounds "$BENCH_ROUNDS"}
