#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run_all.sh FOLDER [ARGUMENT...]: every rival on the GPU that is installed, into FOLDER/NAME.json and FOLDER/NAME.txt.
# Goes on after a failure, and then exits with 1.
set -uo pipefail
peers=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:?expected a folder for the results}
shift
mkdir -p "$out"
ran=() failed=()
for peer in pytorch:torch softmax:torch broadcast:torch triton:triton cuda_tile:cuda.tile cupy:cupy; do
  name=${peer%:*} module=${peer#*:}
  # A module that is there and does not load is a failure, of its script.
  said=$(python3 -c "import $module" 2>&1)
  if grep -Eq "^ModuleNotFoundError: No module named '(${module%.*}|$module)'" <<<"$said"; then
    echo "$name: not installed, left out"
    continue
  fi
  ran+=("$name")
  python3 "$peers/run_$name.py" --out "$out/$name.json" "$@" 2>&1 | tee "$out/$name.txt" || failed+=("$name")
done
if [ ${#ran[@]} -eq 0 ]; then
  echo 'no rival is installed' >&2
  exit 1
fi
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}" >&2
  exit 1
fi
