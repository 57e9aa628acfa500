#!/bin/bash
# cast_rounds.sh FOLDER ROUNDS ASSAY [ASSAY..]: cp and the cast by each build, in shuffled order, each followed by sync. FOLDER/source is
# what `cast_cost.py .. --folder FOLDER --prepare` wrote. COLD=1 empties the page cache before each, which takes root. Prints
# milliseconds, and the processor's seconds (user, system) and peak KiB of the command itself.
set -eu
folder=$1 rounds=$2
shift 2
usage=$(mktemp)
trap 'rm -rf "$usage" "$folder/target"' EXIT

timed() {  # NAME COMMAND..
  rm -rf "$folder/target"
  sync
  if [ "${COLD:-0}" = 1 ]; then echo 3 > /proc/sys/vm/drop_caches; fi
  local start end
  start=$(date +%s%N)
  /usr/bin/time -o "$usage" -f '%U %S %M' "${@:2}" > /dev/null
  sync
  end=$(date +%s%N)
  echo "$1 $(((end - start) / 1000000)) ms ($(tail -1 "$usage"))"
}

if [ "${COLD:-0}" != 1 ]; then cat "$folder"/source/* > /dev/null; fi
for ((round = 0; round < rounds; ++round)); do
  for program in $(shuf -e cp "$@"); do
    if [ "$program" = cp ]; then timed cp cp -r --reflink=never "$folder/source" "$folder/target"
    else timed "$program" "$program" cast "$folder/source" "$folder/target" --quiet; fi
  done
done | sort
