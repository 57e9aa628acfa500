#!/usr/bin/env bash
# run.sh ASSAY WRITE_SMALL_MODEL VENV: assay's checkpoints against safetensors and ml_dtypes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/../venv.sh" "$3" "$here/requirements.txt" || exit $?
exec "$3/bin/python" "$here/checkpoint_test.py" "$1" "$2"
