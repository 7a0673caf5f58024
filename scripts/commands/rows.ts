/** What stands for a placeholder of the documents, in the folder that `template.ts` prepares. */
export type Values = {
  readonly gatewayUrl: string
  readonly explorerUrl: string
  readonly adminUrl: string
  readonly rpcUrl: string
  readonly policyClient: string
  readonly databaseUrl: string
  /** Of a failure in `out` and in `.svc/runs`. */
  readonly replayId: string
  /** A free port, another one each time. */
  readonly nextPort: () => number
  /** An API key for one line only: lines run at the same time, and one deletes its key. */
  readonly nextKeyId: () => string
  readonly contentId: string
}

type Fill = {
  readonly find: RegExp
  readonly put: (values: Values) => string
  readonly why: string
}

/** Applied in this order. A row that changes no listed command fails the run. */
export const fills: readonly Fill[] = [
  row(
    /^(?:npx )?polgate (key recover 2)$/g,
    "polgate start --threshold 3 --data-dir keys --exec 'rm keys/shares/0x14dc79964da2c08b23698b3d3cc7ca32193d9955.json && polgate $1'",
    'a share that is lost',
  ),
  row(
    /^(?:npx )?polgate (key backup .*)$/g,
    "echo correct horse battery staple > passphrase.txt; polgate start --threshold 3 --exec 'polgate $1'",
    'a stack whose operators share a key',
  ),
  row(
    /^(?:npx )?polgate (key restore (\d \S+) (.*))$/g,
    "echo correct horse battery staple > passphrase.txt; polgate start --threshold 3 --exec 'polgate key backup 2 --out share.backup $3 && polgate $1'",
    'a backup of the same key',
  ),
  row(
    /^(?:npx )?polgate (key (?:refresh|reshare).*)$/g,
    "polgate start --threshold 3 --exec 'polgate $1'",
    'a stack whose operators share a key',
  ),
  row(
    /^(?:npx )?polgate (chain revert snapshot_1)$/g,
    "polgate start --exec 'polgate chain snapshot && polgate $1'",
    'an id that was printed',
  ),
  row(
    /^(?:npx )?polgate (chain (?!bindings).*)$/g,
    "polgate start --exec 'polgate $1'",
    'others use the shared stack, and do not move in time',
  ),
  row(
    /^(?:npx )?polgate (webhooks trigger .*)$/g,
    "polgate start --exec 'polgate $1'",
    'operators and node of the shared stack are in use',
  ),
  row(
    /^(?:npx )?polgate (webhooks listen.*)$/g,
    "WEBHOOK_SECRET=of-this-example polgate start --exec 'polgate $1'",
    'a key has one webhook; the variable is one of the user',
  ),
  row(
    /^(?:npx )?polgate task (watch|spend|trace) 0x26895b\.\.\.(?: --key MY_KEY)?(.*)$/g,
    "polgate start --exec 'ID=$(polgate task create --client cap --to recipient --json | cut -c12-77); polgate task $1 $ID$2'",
    'the id of a task of its own',
  ),
  row(
    /(?<=polgate secrets .*)(?<=--file |< )secrets\.json/g,
    'my-package/oracles/counterparty_risk/secrets.json',
    'the secrets of the package',
  ),
  row(
    /^(?:npx )?polgate (secrets .*)$/g,
    "RISK_API_URL=http://127.0.0.1:9 RISK_API_KEY=key-of-the-screening polgate start --exec 'polgate policy publish my-package && polgate $1'",
    'the package is published first',
  ),
  row(
    /^(?:npx )?polgate (dev my-package --running.*)$/g,
    "polgate start --exec 'polgate $1'",
    'a stack of its own; the shared one is of several lines',
  ),
  row(
    /^(?:npx )?polgate (policy publish my-package.*)$/g,
    "polgate start --exec 'polgate $1'",
    'a chain of its own',
  ),
  row(
    /^(?:npx )?polgate (identity link --signed .*)$/g,
    "polgate start --exec 'polgate identity link --client allow-list --owner sender --domain kyc --key stranger --sign-only > user.json && polgate $1'",
    'the other signature',
  ),
  row(
    /^(?:npx )?polgate (confidential revoke (.*))$/g,
    "polgate start --exec 'polgate confidential register --provider owner --type blacklist && polgate confidential grant $2 && polgate $1'",
    'it is granted first',
  ),
  row(
    /^(?:npx )?polgate (confidential (?!register).*\bowner\b.*)$/g,
    "polgate start --exec 'polgate confidential register --provider owner --type blacklist && polgate $1'",
    'the provider is registered first',
  ),
  row(
    /^(?:npx )?polgate ((?:identity|confidential) .*)$/g,
    "polgate start --exec 'polgate $1'",
    'what is registered stays',
  ),
  row(/\bnpx (?=polgate)/g, '', 'the command is installed here; the tarball step uses npx'),
  row(
    /(?=(?<!')\bpolgate dev my-package(?!.*--running))/g,
    'rm .svc/stack.json; ',
    'the folder has a stack already',
  ),
  row(/\bnpm start\b/g, 'polgate start', 'the script is this command'),
  row(/\bnpm run certify -- /g, 'polgate certify ', 'the script is this command'),
  fill(/https:\/\/(gateway|old|new)\.example/g, (v) => v.gatewayUrl, 'the shared stack'),
  fill(/http:\/\/127\.0\.0\.1:8600/g, (v) => v.gatewayUrl, 'the port of the shared stack'),
  fill(/http:\/\/127\.0\.0\.1:8601/g, (v) => v.explorerUrl, 'the port of the shared stack'),
  fill(/http:\/\/127\.0\.0\.1:8605/g, (v) => v.adminUrl, 'the port of the shared stack'),
  fill(/https:\/\/node\.example/g, (v) => v.rpcUrl, 'the chain of the shared stack'),
  fill(/(?<=--fork-url )"\$RPC_URL"/g, (v) => v.rpcUrl, 'the chain of the shared stack'),
  fill(/postgres:\/\/svc@db\/svc/g, (v) => v.databaseUrl, 'a server of this run'),
  fill(/(?<=--target |init )URL\b/g, (v) => v.gatewayUrl, 'the shared stack'),
  fill(/(?<=--admin )URL\b/g, (v) => v.adminUrl, 'the shared stack'),
  fill(/(?<=replay )(ID|ryqzs29m)\b/g, (v) => v.replayId, 'an id that was printed'),
  fill(/4f1c22ab09de/g, (v) => v.nextKeyId(), 'an id that was printed'),
  fill(/bafkrei\.\.\./g, (v) => v.contentId, 'an id that was printed'),
  fill(/0xe7f1\.\.\.0512|0x\.\.\./g, (v) => v.policyClient, 'a client of the shared stack'),
  row(/0xf39F\.\.\.2266/g, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'the whole address'),
  row(/SVC_KEY_READ=\.\.\./g, 'SVC_KEY_READ=dev-read-public-key', 'a key of the shared stack'),
  row(
    /(?<=^polgate (?:serve|indexer))$/g,
    ' --config service.json',
    'a command without its options',
  ),
  row(/(?<=^polgate operator)$/g, ' --config operator.json', 'a command without its options'),
  row(/out\/\*\//g, 'out/[12]/', 'the results of other examples are in out too'),
  row(
    /(?=polgate(?:-conformance)? verify --new-key)/g,
    'rm *.pem*; ',
    'the folder has one already',
  ),
  row(
    /certify (?:--target \S+ )?(--baseline baseline\.yaml)/g,
    'certify failing.yaml $1 --grep rpc.keys.invalid',
    'the gateway with the known failure',
  ),
  row(/(?<=--seed )N\b/g, '7', 'a number'),
  row(
    /(?<=polgate start --json )> stack\.json/g,
    '| tee stack.json',
    'what is printed shows that it is ready',
  ),
  row(/--events out(?=.* --counterexample)/g, '--events failed', 'the run that failed'),
  row(/(?=npm install --save-dev)/g, 'rm node_modules package*.json; ', 'in an empty folder'),
  row(/\bFILE\b/g, 'a.snapshot', 'a file'),
  row(/<id>/g, 'webhook.retry.503', 'the id of a check'),
  row(/-v COMMAND/g, '-v status', 'a command'),
  row(/ --open\b/g, '', 'no browser in a test'),
  row(/--port 9000/g, '--port 0', 'no fixed port in a test'),
  fill(
    /--port 8700$/g,
    (v) => {
      const port = v.nextPort()
      const call = `SVC_GATEWAY_URL=http://127.0.0.1:${port} node client.mjs`
      return `--port ${port} & until ${call} 2>&-; do sleep 0.2; done; kill -INT $!; wait $!`
    },
    'no fixed port in a test; one request, then Ctrl-C',
  ),
  row(
    /(?=polgate policy-data simulate --wasm-file oracle\.js .*--replay exchanges\.yaml)/g,
    "polgate policy-data simulate --wasm-file oracle.js --input-json '{}' --record exchanges.yaml && ",
    'the example above it writes the file',
  ),
  row(
    /(?=polgate snapshot load .*--config service\.json)/g,
    'rm -r service-data; ',
    'an empty target',
  ),
  row(/(?<=--exec ')npm run my-tests/g, 'node client.mjs', 'the tests of a user'),
  row(
    /(?<=\bexplain )webhook\.retry\.503(?= --target local)/g,
    'rpc.keys.invalid.no-key',
    'a quick check',
  ),
  fill(/(?<=polgate run )local(?! --checks)/g, (v) => v.gatewayUrl, 'one stack for all'),
  row(
    /(?=polgate(?:-conformance)? init)/g,
    'rm -f svc-target.yaml; ',
    'the folder has one already',
  ),
  row(/(?<=svc-target\.yaml --clause 4\.2)$/g, ' --grep signature', 'others stop operators'),
  row(
    /(?<=certify --compare-with out\/main --without-reference verdict)$/g,
    ' --require base',
    'the run that it is compared with has these checks',
  ),
  // A certification of everything is a step of the gate.
  row(
    /((?:polgate(?:-conformance)?) (?:certify|run)\b(?!.*(?:--dry-run|--only-failed|--checks|--clause|--grep|--require))[^&'>]*)/g,
    '$1 --grep rpc.keys.invalid',
    'the gate certifies with all checks',
  ),
  row(/ --tag (webhook|property)(?=.* --grep rpc\.keys)/g, '', 'the quick checks have no such tag'),
]

function fill(find: RegExp, put: (values: Values) => string, why: string): Fill {
  return { find, put, why }
}

function row(find: RegExp, put: string, why: string): Fill {
  return { find, put: () => put, why }
}

/** Commands that end only when told to, and what they print when they are ready. */
export const untilReady: readonly { readonly find: RegExp; readonly ready: RegExp }[] = [
  { find: /\bpolgate start\b(?!.*(--exec|--help|--json))/, ready: /ready in/ },
  { find: /\bpolgate dev\b(?!.*(--json|--help))/, ready: /waiting for changes/ },
  { find: /\bpolgate dev\b.*--json/, ready: /"event":"waiting"/ },
  { find: /polgate start --json/, ready: /"chaosUrl"/ },
  { find: /\bpolgate (serve|operator)\b(?!.*(--print-schema|--check))/, ready: /"pid"|listen/ },
  { find: /\bpolgate indexer\b/, ready: /"chains"/ },
  { find: /\bpolgate studio\b/, ready: /studio {2}http/ },
  { find: /\bpolgate webhooks listen\b/, ready: /listening/ },
  { find: /--watch$/, ready: /PASS|FAIL/ },
]

/** Commands whose result is not success, with the reason. */
export const exitCodes: readonly {
  readonly find: RegExp
  readonly code: number
  readonly why: string
}[] = [
  {
    find: /task create .*(token-transfer|signed-intent.*--sign)/,
    code: 1,
    why: 'the policy denies it',
  },
  { find: /secrets list .*--missing/, code: 1, why: 'none was put' },
  { find: /run --only-failed/, code: 1, why: 'the failed check fails again' },
  {
    find: /polgate(?:-conformance)? replay \S+$/,
    code: 1,
    why: 'the failure recurs',
  },
  {
    find: /--events \S+ --counterexample$/,
    code: 2,
    why: 'the failure is not of a property: it has no counterexample, and the error says so',
  },
]
