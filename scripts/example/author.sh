#!/bin/sh
# From an empty folder to a spent attestation: a policy package, published on a local stack. Takes the name of a
# template. What the oracle's host would answer comes from the package's mocks.
set -eu
polgate() { node "$root/impl/cli/polgate.mjs" "$@"; }
root=$(cd "$(dirname "$0")/../.." && pwd)
template=${1:-price-feed}

if [ "${2:-}" = on-the-stack ]; then
  polgate policy publish my-policy --fund 10ether
  for secrets in my-policy/oracles/*.test-secrets.json; do
    polgate secrets put my-policy --oracle "$(basename "$secrets" .test-secrets.json)" --file "$secrets"
  done
  polgate task create --package my-policy --json > task.json
  polgate task spend "$(node -p 'JSON.parse(fs.readFileSync("task.json")).taskId')"
  if polgate task create --package my-policy --value 50ether; then exit 1; fi
  exit
fi

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
polgate policy init my-policy --template "$template"
polgate policy test my-policy
polgate start --port 0 --chain-port 0 --explorer-port 0 --mock my-policy/mocks.yaml \
  --exec "sh '$root/scripts/example/author.sh' '$template' on-the-stack"
