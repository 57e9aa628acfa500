#!/usr/bin/env bash
# run.sh ASSAY VENV: what `assay cast` makes, decoded by safetensors and ml_dtypes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/../venv.sh" "$2" "$here/requirements.txt" || exit $?
exec "$2/bin/python" "$here/cast_test.py" "$1"
