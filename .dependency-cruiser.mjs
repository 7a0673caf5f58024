/** Dependency rules: the place of a file tells what it may import. */

// Tests may import everything, and so may folders that only tests use.
const tests = '\\.(test|fixture)\\.ts$|/testing/|^impl/rego/safety/'
const repository = '^(impl|conformance|fixtures|chain|scripts)/'

/** What is below `from` may import what is below `allowed`, of this repository. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: `^${from}/`, pathNot: tests },
  to: { path: repository, pathNot: `^(${[from, ...allowed].join('|')})/` },
})

const protocol = 'impl/protocol'
const lib = 'impl/lib'
const service = (...folders) => folders.map((folder) => `impl/service/${folder}`)

/** A folder of the service, and what it may import in addition to itself and `polgate-lib`. */
const inService = (folder, allowed) =>
  only(`service-${folder}`, `impl/service/${folder}`, [lib, ...allowed])

/** A folder of the suite, and the other folders of the suite that it may import. */
const inSuite = (folder, allowed) => ({
  name: `suite-${folder.replace('/', '-')}`,
  severity: 'error',
  from: { path: `^conformance/${folder}/`, pathNot: tests },
  to: { path: '^conformance/', pathNot: `^conformance/(${[folder, ...allowed].join('|')})(/|$)` },
})

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'packages-import-each-other-by-name',
      comment: 'A relative import stays within its package.',
      severity: 'error',
      from: { path: '^(impl/[^/]+|conformance/self-test|conformance|chain|fixtures)/' },
      to: { path: repository, pathNot: '^$1/', dependencyTypes: ['local'] },
    },

    only('package-lib', lib, []),
    only('package-protocol', protocol, [lib]),
    only('package-rego', 'impl/rego', []),
    only('package-client', 'impl/client', [lib]),
    only('package-chain', 'chain', [lib]),
    only('package-fixtures', 'fixtures', [lib, 'chain']),
    only('independent-gateway', 'fixtures/independent-gateway', []),
    only('package-service', 'impl/service', [lib, protocol, 'impl/rego', 'chain']),
    only('package-local', 'impl/local', [
      ...[lib, protocol, 'impl/client', 'impl/service', 'chain', 'fixtures'],
    ]),
    only('package-studio', 'impl/studio', [
      lib,
      protocol,
      'impl/client',
      'impl/rego',
      'chain/artifacts',
    ]),
    {
      name: 'package-testing',
      severity: 'error',
      from: { path: '^impl/testing/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: {
        path: repository,
        pathNot: `^(${['impl/testing', lib, protocol, 'impl/client', 'impl/service', 'impl/local', 'chain', 'fixtures'].join('|')})/`,
      },
    },
    {
      name: 'testing-outside-its-process',
      comment: 'What a test loads does not load the service, which runs in a process of its own.',
      severity: 'error',
      from: {
        path: '^impl/testing/',
        pathNot: '^impl/testing/process/|\\.(test|fixture)\\.ts$',
      },
      to: { path: '^(impl/(service|local|testing/process)|chain|fixtures)/' },
    },
    {
      name: 'package-conformance',
      comment:
        'The suite reaches a gateway over the wire. Only its self-test imports the service: mutants are the service with one fault each.',
      severity: 'error',
      from: { path: '^conformance/', pathNot: `^conformance/self-test/|${tests}` },
      to: {
        path: repository,
        pathNot: `^(conformance(?!/self-test)|${protocol}|${lib}|chain|fixtures)/`,
      },
    },
    {
      name: 'nothing-imports-the-command-line',
      severity: 'error',
      from: { path: '^(impl|conformance|chain|fixtures)/', pathNot: '^impl/cli/' },
      to: { path: '^impl/cli/' },
    },

    inService('net', []),
    inService('scheduling', []),
    inService('logging', []),
    inService('content', service('net')),
    inService('oracles', service('content', 'net', 'scheduling')),
    inService('ecdsa', [protocol, 'chain']),
    inService('attestation', [...service('scheduling', 'ecdsa'), 'chain']),
    inService('intents', [protocol, 'chain']),
    inService('envelopes', [protocol]),
    inService('threshold', [protocol, ...service('envelopes')]),
    inService('store', [protocol, ...service('envelopes')]),
    inService('operators', [
      protocol,
      'impl/rego',
      'chain',
      ...service('oracles', 'content', 'attestation', 'envelopes', 'threshold', 'intents'),
      ...service('scheduling', 'store'),
    ]),
    inService('tasks', [
      protocol,
      'chain',
      ...service('operators', 'attestation', 'envelopes', 'intents', 'scheduling', 'store'),
      ...service('threshold'),
    ]),
    inService('privateData', [
      protocol,
      'impl/rego',
      'chain',
      ...service('operators', 'threshold', 'envelopes', 'intents', 'ecdsa', 'store'),
    ]),
    inService('gateway', [
      protocol,
      'chain',
      ...service('tasks', 'scheduling', 'store', 'intents', 'envelopes'),
    ]),
    inService('webhooks', [protocol, ...service('net', 'envelopes', 'store')]),
    inService('sealedData', [protocol, 'chain', ...service('ecdsa', 'envelopes', 'store')]),
    inService('explorer', [
      protocol,
      'impl/rego',
      ...service('content', 'net', 'scheduling', 'store'),
      'chain',
    ]),
    inService('snapshot', [protocol, ...service('content', 'net', 'store')]),
    inService('telemetry', [
      protocol,
      'chain',
      ...service('logging', 'store', 'oracles', 'operators', 'tasks', 'webhooks', 'gateway'),
    ]),
    {
      name: 'telemetry-loads-lazily',
      comment: 'Only modules without these libraries are imported statically.',
      severity: 'error',
      from: {
        path: repository,
        pathNot: `^impl/service/(telemetry/|serviceTelemetry\\.ts)|${tests}`,
      },
      to: {
        path: '^impl/service/(telemetry/(?!openTelemetry\\.ts)|serviceTelemetry\\.ts)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
        dynamic: false,
      },
    },

    inSuite('register', []),
    inSuite('core', ['register']),
    inSuite('wire', ['core']),
    inSuite('crypto', ['core']),
    inSuite('targets', ['register', 'core', 'wire', 'crypto']),
    inSuite('arbitraries', []),
    inSuite('kit/servers', ['core', 'wire']),
    inSuite('kit/assertions', ['core', 'wire', 'crypto', 'targets', 'kit/servers']),
    inSuite('kit/scenarios', ['core', 'wire', 'crypto', 'targets', 'arbitraries', 'kit']),
    inSuite('model', ['core', 'wire', 'crypto', 'kit']),
    inSuite('checks', ['core', 'wire', 'crypto', 'targets', 'arbitraries', 'kit', 'model']),
    inSuite('reference', ['core', 'kit/assertions']),
    inSuite('runner', ['register', 'core', 'wire', 'targets']),
    inSuite('own', ['register', 'core', 'kit']),
    inSuite('examples', ['index.ts']),
    inSuite('baseline', ['core']),
    inSuite('reports', ['register', 'core', 'baseline']),
    inSuite('certificate', ['register', 'core', 'reports']),
    inSuite('proof', ['register', 'core', 'reports', 'checks']),
    inSuite('explain', ['core']),
    inSuite('fixtures', ['register', 'core', 'wire', 'crypto', 'targets', 'kit/servers']),
    inSuite('spec', ['register', 'core']),
    {
      name: 'suite-commands',
      comment:
        'Commands put the parts together: nothing of the suite imports them but the public interface.',
      severity: 'error',
      from: {
        path: '^conformance/',
        pathNot: `^conformance/(commands|api|self-test|index\\.ts)|${tests}`,
      },
      to: { path: '^conformance/(commands|api)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The consumer is a project of its own.
    exclude: { path: '(^|/)(node_modules|\\.cache)/|^fixtures/consumer/|^impl/studio/dist' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import'] },
  },
}
