#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compare_pytorch.sh cuda|cpu KACHEL_BENCH FOLDER [ARGUMENT...]: activations by Kachel and then by PyTorch, on one
# machine, into FOLDER/bench.json and FOLDER/pytorch.json. On a GPU PyTorch's are KernelBench's, on a CPU every one that
# both have. The arguments, --pairs=N and --shape=ROWSxCOLUMNS, go to both.
set -euo pipefail
peers=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
device=${1:?expected cuda or cpu} out=${3:?expected a folder for the results}
bench=$(realpath "${2:?expected a kachel_bench}")
shift 3
case $device in
cuda) script=run_kernelbench.py ;;
cpu) script=run_activations.py ;;
*) echo "compare_pytorch.sh: $device, expected cuda or cpu" >&2 && exit 2 ;;
esac
mkdir -p "$out" && cd "$out" # so that the results do not name it
"$bench" --benchmark_filter='^activations/.*/(float|half|bfloat16)/.*/forward' \
  --benchmark_out=bench.json --benchmark_out_format=json "$@"
KACHEL_COMMIT=$(python3 -c 'import json; print(json.load(open("bench.json"))["context"]["kachel_commit"])')
export KACHEL_COMMIT
python3 "$peers/$script" --device="$device" --out=pytorch.json "$@"
