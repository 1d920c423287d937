#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compare_pytorch.sh cuda|cpu KACHEL_BENCH FOLDER [ARGUMENT...]: activations by Kachel and then by PyTorch, on one
# machine, into FOLDER/bench.json and FOLDER/pytorch.json. On a GPU PyTorch's are KernelBench's; on a CPU every one that
# both have, one at a time: its memory, and the start of its threads, can be twice as fast at one time as at another. The
# arguments, --pairs=N and --shape=ROWSxCOLUMNS, go to both.
set -euo pipefail
peers=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
device=${1:?expected cuda or cpu} out=${3:?expected a folder for the results}
bench=$(realpath "${2:?expected a kachel_bench}")
shift 3
arguments=("$@")
mkdir -p "$out" && cd "$out" # so that the results do not name it

# measure_kachel ACTIVATION FILE, a regular expression and what is written
measure_kachel() {
  "$bench" --benchmark_filter="^activations/$1/(float|half|bfloat16)/.*/forward" --benchmark_out="$2" \
    --benchmark_out_format=json "${arguments[@]}"
  KACHEL_COMMIT=$(python3 -c "import json; print(json.load(open('$2'))['context']['kachel_commit'])")
  export KACHEL_COMMIT
}

# join FOLDER: its files as FOLDER.json, as if one run had written them
join() {
  python3 - "$1" <<'PYTHON'
import json, pathlib, sys

folder = pathlib.Path(sys.argv[1])
runs = [json.loads(path.read_text()) for path in sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)]
context = {**runs[0]["context"], "command": "compare_pytorch.sh cpu"}
rows = [row for run in runs for row in run["benchmarks"]]
folder.with_suffix(".json").write_text(json.dumps({"context": context, "benchmarks": rows}, indent=1) + "\n")
PYTHON
  rm -r "$1"
}

case $device in
cuda)
  measure_kachel '.*' bench.json
  python3 "$peers/run_kernelbench.py" --device=cuda --out=pytorch.json "$@"
  ;;
cpu)
  mkdir bench pytorch
  for name in $("$bench" --benchmark_list_tests --benchmark_filter='^activations/.*/float/16384/forward' | cut -d/ -f2); do
    measure_kachel "$name" "bench/$name.json"
    python3 "$peers/run_activations.py" --only="$name" --out="pytorch/$name.json" "$@"
  done
  join bench
  join pytorch
  ;;
*)
  echo "compare_pytorch.sh: $device, expected cuda or cpu" >&2
  exit 2
  ;;
esac
