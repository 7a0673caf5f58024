#!/usr/bin/env bash
# npm run certify:container: builds the image of scripts/Dockerfile, puts nginx in front of the gateway,
# certifies it from a target file, under another brand, and checks that missing parts are reported.
# Exits 3 if no Docker engine is available. NODE_IMAGE overrides the base image, IMAGE selects an
# existing image; arguments are passed to polgate certify, such as --clause 4.2.
set -uo pipefail
cd "$(dirname "$0")/../.."

if ! docker info >/dev/null 2>&1; then
  echo 'not run: no Docker engine answers here'
  exit 3
fi
image=${IMAGE:-svc-under-test}
begin=$SECONDS
if [ -z "${IMAGE:-}" ]; then
  docker build -q --network host -f scripts/Dockerfile \
    ${NODE_IMAGE:+--build-arg "NODE_IMAGE=$NODE_IMAGE"} -t "$image" . || exit 2
  echo "built in $((SECONDS - begin)) s"
fi
docker build -q --network host -t "$image-behind-nginx" -f - scripts/container <<DOCKERFILE || exit 2
FROM $image
USER 0
RUN apt-get update && apt-get install -y --no-install-recommends nginx-light
COPY behind-nginx.sh /usr/local/bin/
USER 10001:10001
ENTRYPOINT ["behind-nginx.sh"]
CMD []
DOCKERFILE

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cat >"$directory/svc-target.yaml" <<TARGET
name: acme in a container, behind nginx
image:
  name: $image-behind-nginx
  readyWithinSeconds: 300
brand:
  methodPrefix: acme_
  topicPrefix: acme.task.
  signatureHeader: X-Acme-Signature
  networkHeader: X-Acme-Network
notApplicable:
  chaos: nothing is put between a container and what it was handed
TARGET
{
  cat "$directory/svc-target.yaml"
  echo 'webhookReceiver: false'
} >"$directory/unplugged.yaml"

begin=$SECONDS
node impl/cli/polgate.mjs certify --target "$directory/svc-target.yaml" "$@"
code=$?
echo "certified in $((SECONDS - begin)) s, exit $code"

begin=$SECONDS
node impl/cli/polgate.mjs run --target "$directory/unplugged.yaml" --quiet \
  --grep '^webhook\.delivery$' --grep '^rpc\.id\.echo\.uuid$' --report-dir "$directory/unplugged"
unplugged=$?
echo "without webhooks in $((SECONDS - begin)) s, exit $unplugged, and 3 was expected"

left=$(docker ps -aq --filter label=svc.conformance.pid | wc -l)
echo "containers left: $left"
[ "$left" -eq 0 ] && [ "$unplugged" -eq 3 ] || exit 2
exit "$code"
