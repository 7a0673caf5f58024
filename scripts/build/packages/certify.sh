#!/usr/bin/env bash
# Certifies a gateway of another brand with the suite as its users get it: packed, installed in an empty
# folder, over the wire. Also holds the packages to their sizes.
#
#   bash scripts/build/packages/certify.sh [REPORT_DIR]
set -euo pipefail
cd "$(dirname "$0")/../../.."
reports=$(realpath -m "${1:-.cache/ci/brand}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

npm run --silent pack -- --out "$folder/packed"

install() { # name, largest size in MB with its dependencies
  mkdir "$folder/$1"
  (cd "$folder/$1" && npm init -y >/dev/null \
    && npm install --silent --no-audit --no-fund --ignore-scripts "$folder/packed/$1"-*.tgz)
  local size
  size=$(du -sm "$folder/$1/node_modules" | cut -f 1)
  echo "$1 with its dependencies: $size MB (limit $2)"
  [ "$size" -lt "$2" ]
}
install polgate-rego 3
install polgate-conformance 100

repository=$PWD
cd "$folder/polgate-conformance"
node "$repository/impl/cli/polgate.mjs" start --brand acme --port 0 --exec \
  "node_modules/.bin/polgate-conformance certify --target \"\$SVC_GATEWAY_URL\" --report-dir '$reports'"
