#!/usr/bin/env bash
# kimi_k3_shard.sh ASSAY WRITE_KIMI_K3 KIMI_K3_FOLDER [EXPERTS]: the published geometry of Kimi-K3, 1.56 TB apparent, as sparse
# files with EXPERTS experts of real blocks (20: 350 MB on disk) in the shard of layer 1; prints sizes, times and memory.
# FULL=1 reads the shard of layer 1 whole as well, 17 GB of zeros but for those experts: they pass through the page cache.
set -euo pipefail
assay=$1 write=$2 published=$3 experts=${4:-20}
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$folder.time" "$folder.out"' EXIT

measure() {  # NAME COMMAND..: seconds, peak memory, exit code
    local name=$1 code=0
    shift
    /usr/bin/time -f '%e s, %M KiB' -o "$folder.time" "$@" >"$folder.out" 2>&1 || code=$?
    printf '%-44s %s, ends %d\n' "$name" "$(tail -1 "$folder.time")" "$code"
}

"$write" "$folder" "$published/config.json" "$published/w1_first64rows.safetensors" "$experts"
apparent=$(find "$folder" -name '*.safetensors' -printf '%s\n' | awk '{all += $1} END {printf "%.0f", all}')
echo "shards $(ls "$folder"/*.safetensors | wc -l), $apparent bytes, $(du -sm "$folder" | cut -f1) MiB on disk"
(cd "$folder" && ls -l -- *.safetensors | awk '{print $9, $5}') | diff - <(awk '{print $1, $2}' "$published/shard_sizes.txt" | sort) \
    && echo "all sizes as published"

shard=$folder/model-00002-of-000096.safetensors
measure "inspect, 497,220 tensors" "$assay" inspect "$folder"
measure "audit, headers, index and configuration" "$assay" audit "$folder" --ignore block_scale
tail -1 "$folder.out"
measure "inspect --tensor, real blocks" "$assay" inspect "$shard" --tensor language_model.model.layers.1.block_sparse_moe.experts.0.w1
if [ "${FULL:-0}" != 1 ]; then exit 0; fi
measure "audit of the shard alone, every scale" "$assay" audit "$shard" --quiet
tail -1 "$folder.out"
measure "audit of the shard against itself, 34 GB" "$assay" audit "$shard" --source "$shard" --quiet
tail -2 "$folder.out"
