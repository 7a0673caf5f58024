/** Which way the arrows point: a file's place says what it may know about. */
// Tests may use everything, and so may what only they use: a folder of nothing else is named here.
const tests = '\\.test\\.ts$|^impl/oracles/hostile/'
const leaf = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { path: '^(impl|conformance|fixtures|chain|scripts)/', pathNot: allowed },
})

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    leaf('rego-is-a-leaf', '^impl/rego/', '^impl/rego/'),
    leaf('net-is-a-leaf', '^impl/net/', '^impl/net/'),
    leaf('threads-is-a-leaf', '^impl/threads/', '^impl/threads/'),
    leaf('content-knows-the-way-out-only', '^impl/content/', '^impl/(content|net)/'),
    leaf('oracles-know-the-way-out-only', '^impl/oracles/', '^impl/(oracles|content|net|threads)/'),
    leaf('attestation-is-a-leaf', '^impl/attestation/', '^(impl/attestation|chain)/'),
    leaf('intents-know-protocol-only', '^impl/intents/', '^(impl/intents|impl/protocol|chain)/'),
    leaf('envelopes-know-protocol-only', '^impl/envelopes/', '^(impl/envelopes|impl/protocol)/'),
    leaf('threshold-knows-envelopes', '^impl/threshold/', '^impl/(threshold|envelopes|protocol)/'),
    leaf('protocol-is-vocabulary', '^impl/protocol/', '^impl/protocol/'),
    leaf('store-knows-protocol-only', '^impl/store/', '^impl/(store|protocol)/'),
    leaf(
      'operators-evaluate-and-sign',
      '^impl/operators/',
      '^(impl/(operators|oracles|content|rego|attestation|envelopes|threshold|intents|protocol|store)|chain)/',
    ),
    leaf(
      'tasks-own-the-life-of-a-task',
      '^impl/tasks/',
      '^(impl/(tasks|operators|attestation|envelopes|intents|protocol|store)|chain)/',
    ),
    leaf(
      'gateway-is-the-front-door',
      '^impl/gateway/',
      '^(impl/(gateway|tasks|protocol|store|intents|envelopes)|chain)/',
    ),
    leaf(
      'webhooks-keep-and-deliver',
      '^impl/webhooks/',
      '^impl/(webhooks|net|envelopes|protocol|store)/',
    ),
    leaf(
      'sealed-data-is-kept-sealed',
      '^impl/sealedData/',
      '^(impl/(sealedData|envelopes|protocol|store)|chain)/',
    ),
    leaf(
      'explorer-follows-and-shows',
      '^impl/explorer/',
      '^(impl/(explorer|content|net|rego|protocol|store|threads)|chain)/',
    ),
    leaf(
      'snapshots-know-what-they-hold',
      '^impl/snapshot/',
      '^impl/(snapshot|content|net|protocol|store)/',
    ),
    leaf('chain-imports-nothing', '^chain/', '^chain/'),
    leaf('fixtures-are-data', '^fixtures/', '^(fixtures|chain)/'),
    {
      name: 'suite-is-a-black-box',
      comment:
        'The suite knows the vocabulary of the wire, the chain and the fixtures; it boots the service from one file. Mutants are that service with one fault each.',
      severity: 'error',
      from: {
        path: '^conformance/',
        pathNot: '^conformance/(targets/local(Chaos)?\\.ts$|mutants/)',
      },
      to: { path: '^impl/', pathNot: '^impl/protocol/' },
    },
    {
      name: 'service-knows-no-suite',
      severity: 'error',
      from: { path: '^impl/', pathNot: '^impl/cli/suite/' },
      to: { path: '^conformance/' },
    },
    {
      name: 'nobody-imports-the-command-line',
      severity: 'error',
      from: { path: '^(impl|conformance|chain|fixtures)/', pathNot: '^impl/cli/' },
      to: { path: '^impl/cli/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
