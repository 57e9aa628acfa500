#!/bin/bash
# Times `assay audit --source` on a pair made by audit_pair.py against what a user would take instead: cmp of the packed
# weights, cat of everything (both warm), and dd past the page cache (cold). Prints seconds, best of three, and ratios.
#
#   tests/bench/audit.sh ASSAY FOLDER
set -eu
assay=$1 folder=$2
packed=134217728  # bytes of packed weights in each file: audit_pair.py

header() { echo $((8 + $(od -An -tu8 -N8 "$1"))); }
cmp_packed() {
  for file in "$folder"/source/*; do
    local target=$folder/target/${file##*/}
    cmp -i "$(header "$file"):$(($(header "$target") + 4))" -n $packed "$file" "$target"
  done
}
cat_all() { cat "$folder"/source/* "$folder"/target/* > /dev/null; }
audit() { "$assay" audit "$folder/target" --source "$folder/source" --ignore config --quiet "$@" > "$folder/report"; }
dd_all() { for file in "$folder"/source/* "$folder"/target/*; do dd if="$file" of=/dev/null iflag=direct bs=8M status=none; done; }
forget() { sync; for file in "$folder"/source/* "$folder"/target/*; do dd if="$file" iflag=nocache count=0 status=none; done; }

best() {
  local least=999999 start end
  for _ in 1 2 3; do
    if [ "$1" = cold ]; then forget; fi
    start=$(date +%s%N)
    "${@:2}"
    end=$(date +%s%N)
    if [ $((end - start)) -lt $((least * 1000000)) ]; then least=$(((end - start) / 1000000)); fi
  done
  echo $least
}
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

cat_all
a=$(best warm audit) c=$(best warm cmp_packed) k=$(best warm cat_all)
echo "warm: audit $a ms, cmp $c ms, cat $k ms: $(ratio $a $c) of cmp, $(ratio $a $k) of cat"
a=$(best cold audit) d=$(best cold dd_all)
echo "cold: audit $a ms, dd iflag=direct $d ms: $(ratio $d $a) of its rate"
