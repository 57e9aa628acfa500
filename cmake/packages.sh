# Sourced by ./demo and ./check: install_missing FILE... installs the packages listed in the files that are
# not there yet. Asks for root only when something is missing; says what to do where it cannot install.

say() { printf '%s %s\n' "--" "$*" >&2; }

listed_packages() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"; }

missing_packages() {
  local package
  for package in $(listed_packages "$@"); do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || printf '%s\n' "$package"
  done
}

install_missing() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "apt was not found, so nothing can be installed here. assay is built with these Debian packages,"
    say "or what carries the same libraries on this system:"
    listed_packages "$@" | tr '\n' ' ' | fold -s -w 96 | sed 's/^/     /' >&2
    printf '\n' >&2
    exit 2
  fi
  local missing as_root=()
  missing=$(missing_packages "$@")
  if [ -z "$missing" ]; then
    say "all packages are installed"
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "packages are missing, and neither root nor sudo is at hand. As root, run:"
      printf '     apt-get install --no-install-recommends %s\n' "$(printf '%s' "$missing" | tr '\n' ' ')" >&2
      exit 2
    fi
    as_root=(sudo)
  fi
  say "installing: $(printf '%s' "$missing" | tr '\n' ' ')"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  local log
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "apt could not install them (its last lines are above)"
    exit 2
  fi
  rm -f "$log"
}

# build_preset NAME: configures and builds a preset, with ninja's counter as the progress.
build_preset() {
  local started=$SECONDS
  say "configuring build/$1"
  local log
  log=$(mktemp)
  if ! cmake --preset "$1" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
  say "building build/$1"
  cmake --build --preset "$1" >&2 || exit 1
  say "built in $((SECONDS - started)) s"
}
