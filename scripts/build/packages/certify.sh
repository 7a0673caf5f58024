#!/usr/bin/env bash
# Certifies the stack as its users get it, under another brand, with the suite as its users get it: both
# packed and installed in empty folders, over the wire.
#
#   bash scripts/build/packages/certify.sh [REPORT_DIR] [FOLDER WITH TARBALLS]
set -euo pipefail
cd "$(dirname "$0")/../../.."
reports=$(realpath -m "${1:-.cache/ci/brand}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
packed=$folder/packed
if [ -n "${2:-}" ]; then packed=$(realpath "$2"); else npm run --silent pack -- --out "$packed"; fi

install() { # name, names of packages here that it depends on
  local tarballs=() name
  for name in "$@"; do tarballs+=("$packed/$name"-[0-9]*.tgz); done
  mkdir "$folder/$1"
  (cd "$folder/$1" && npm init -y >/dev/null \
    && npm install --silent --no-audit --no-fund --ignore-scripts "${tarballs[@]}")
}
# Each works on one processor, or waits for the registry.
install polgate &
stack=$!
install polgate-conformance
wait "$stack"

cd "$folder/polgate-conformance"
export XDG_CACHE_HOME=$folder/cache XDG_DATA_HOME=$folder/data
"$folder/polgate/node_modules/.bin/polgate" start --brand acme --port 0 --exec \
  "node_modules/.bin/polgate-conformance certify --target \"\$SVC_GATEWAY_URL\" --report-dir '$reports'"
