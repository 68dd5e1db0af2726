# Shared by ./heddle and ./test: installs what the build needs, and builds. To be sourced by bash
# after `root` is set to the root of the repository. Prints to stderr only.
# shellcheck shell=bash

: "${root:?}"

heddle_packages=(
  g++ cmake ninja-build libgtest-dev libgmock-dev libbenchmark-dev libfmt-dev
  nlohmann-json3-dev libcli11-dev libxxhash-dev python3 python3-jsonschema libxml2-utils groff-base
  make clang-19 clang-format-19 clang-tidy-19 llvm-19-dev libdw-dev libelf-dev gdb ca-certificates
  libssl-dev openssl redis-server chromium nodejs
)

heddle_say() { echo "heddle: $*" >&2; }

# heddle_fail MESSAGE [LOG]: says what went wrong, shows the end of the log, and exits with 70.
heddle_fail() {
  heddle_say "$1"
  if [[ -n ${2-} ]]; then
    tail -n 40 "$2" >&2
    heddle_say "the whole log is in $2"
  fi
  exit 70
}

# Prints the packages that are not installed, one a line.
heddle_missing_packages() {
  local installed package
  # A package that was removed but left its configuration is still listed: look at the status.
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${heddle_packages[@]}" \
    2>/dev/null | sed -n 's/^.i *//p') || true
  for package in "${heddle_packages[@]}"; do
    grep -qxF -- "$package" <<<"$installed" || echo "$package"
  done
}

# Installs the packages that are missing. One call at a time: apt allows no two.
heddle_install() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    return 0 # Not Debian: CMake says what it does not find.
  fi
  local missing log=$root/build/heddle-install.log
  (
    flock 8
    mapfile -t missing < <(heddle_missing_packages)
    ((${#missing[@]})) || exit 0
    heddle_say "installing ${missing[*]} (first use)"
    as_root=()
    if ((EUID != 0)); then
      command -v sudo >/dev/null ||
        heddle_fail "cannot install without root or sudo; as root: apt-get install ${missing[*]}"
      as_root=(sudo)
    fi
    apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    : >"$log"
    # A source of packages that is out of reach need not matter: let the installation decide.
    "${apt[@]}" update </dev/null >>"$log" 2>&1 || true
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >>"$log" 2>&1 ||
      heddle_fail "the installation failed" "$log"
  ) 8>"$root/build/.install.lock"
}

# heddle_build DIR TARGET [CMAKE_ARGUMENT...]: installs what is missing, configures DIR and builds
# TARGET there. The log is DIR/heddle-build.log. The caller holds heddle_lock DIR.
heddle_build() {
  local dir=$1 target=$2 log=$1/heddle-build.log fresh=()
  shift 2
  heddle_install
  # CMake refuses the cache of a tree that has since been moved or copied.
  if [[ -f $dir/CMakeCache.txt ]] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  heddle_say "building ${dir#"$root"/}"
  {
    cmake "${fresh[@]}" -S "$root" -B "$dir" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@" &&
      ninja --quiet -C "$dir" "$target"
  } </dev/null >"$log" 2>&1 || heddle_fail "the build failed" "$log"
}

# heddle_lock DIR: waits until no other process builds in DIR. heddle_unlock lets the next one in;
# it must come before exec, or the program would hold the lock for as long as it runs.
heddle_lock() {
  mkdir -p "$1"
  exec 9>"$1/.heddle.lock"
  flock 9
}
heddle_unlock() { exec 9>&-; }
