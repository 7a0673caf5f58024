#!/bin/sh
# Entry point of a container with nginx in front of the gateway: nginx listens on the addresses of the
# test environment, and the gateway on other ports.
set -eu
file=/tmp/behind-nginx.json
# Two free ports, and the environment with them.
set -- $(node -e '
  const { createServer } = require("node:net")
  const { readFileSync, writeFileSync } = require("node:fs")
  const given = JSON.parse(readFileSync(process.env.SVC_ENV_FILE, "utf8"))
  const taken = ["gateway", "explorer"].map((name) => [name, createServer().listen(0, "127.0.0.1")])
  setTimeout(() => {
    for (const [name, server] of taken) {
      given.listen[name].port = server.address().port
      server.close()
      console.log(given.listen[name].port)
    }
    writeFileSync(process.argv[1], JSON.stringify(given), { mode: 0o600 })
  }, 100)
' "$file")

server() { # port to listen on, port of the gateway
  cat <<NGINX
  server {
    listen 127.0.0.1:$1;
    location / {
      proxy_pass http://127.0.0.1:$2;
      proxy_http_version 1.1;
      proxy_set_header Host \$http_host;
      proxy_set_header X-Forwarded-For \$remote_addr;
      proxy_set_header Upgrade \$http_upgrade;
      proxy_set_header Connection \$connection_upgrade;
    }
  }
NGINX
}
cat >/tmp/nginx.conf <<NGINX
pid /tmp/nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  # The gateway limits the body size.
  client_max_body_size 0;
  client_body_temp_path /tmp/nginx-body;
  proxy_temp_path /tmp/nginx-proxy;
  fastcgi_temp_path /tmp/nginx-fastcgi;
  uwsgi_temp_path /tmp/nginx-uwsgi;
  scgi_temp_path /tmp/nginx-scgi;
  map \$http_upgrade \$connection_upgrade { default upgrade; '' close; }
$(server "$SVC_ENV_GATEWAY_PORT" "$1")
$(server "$SVC_ENV_EXPLORER_PORT" "$2")
}
NGINX
nginx -c /tmp/nginx.conf
SVC_ENV_FILE=$file exec node impl/cli/polgate.mjs serve --from-environment
