import type { CommandDefinition } from './commandDefinition.ts'

/** All commands of `svc`, in the order of the help text; a command's file is loaded when it is called. */
export const commands: Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<CommandDefinition> }>
> = {
  start: {
    summary: 'start a local stack: chain, contracts, operators, gateway, explorer',
    load: async () => (await import('./start.ts')).start,
  },
  serve: {
    summary: 'run a gateway on an existing chain and contracts',
    load: async () => (await import('./serve.ts')).serve,
  },
  indexer: {
    summary: 'index the chains for the explorer in a separate process',
    load: async () => (await import('./indexer.ts')).indexer,
  },
  init: {
    summary: 'probe a gateway and write a target file for it',
    load: async () => (await import('./suite/init.ts')).init,
  },
  doctor: {
    summary: 'report what a target lacks for certification, and which checks that excludes',
    load: async () => (await import('./suite/doctor.ts')).doctor,
  },
  certify: {
    summary: 'certify a gateway against the specification; by default a local stack',
    load: async () => (await import('./suite/certify.ts')).certify,
  },
  baseline: {
    summary: 'maintain a list of known failures, each with an owner and an expiry date',
    load: async () => (await import('./suite/baseline.ts')).baseline,
  },
  clauses: {
    summary: 'list the clauses of the specification',
    load: async () => (await import('./suite/clauses.ts')).clauses,
  },
  coverage: {
    summary: 'list the checks and mutants that cover each clause',
    load: async () => (await import('./suite/coverage.ts')).coverage,
  },
  explain: {
    summary: 'describe a check, a clause or a mutant',
    load: async () => (await import('./suite/explain.ts')).explain,
  },
  mutants: {
    summary: 'run the suite against gateways with one fault each, and report which it detects',
    load: async () => (await import('./suite/mutants.ts')).mutants,
  },
  run: {
    summary: 'run selected checks of the suite against a gateway',
    load: async () => (await import('./suite/run.ts')).run,
  },
  list: {
    summary: 'list the checks of the suite; takes the filters of a run',
    load: async () => (await import('./suite/list.ts')).list,
  },
  merge: {
    summary: 'merge the event logs of shards and write the reports',
    load: async () => (await import('./suite/merge.ts')).merge,
  },
  compare: {
    summary: 'compare two runs of the suite',
    load: async () => (await import('./suite/compare.ts')).compare,
  },
  verify: {
    summary: 'verify the certificate of a run against its evidence',
    load: async () => (await import('./suite/verify.ts')).verify,
  },
  record: {
    summary: 'record the traffic between a client and a gateway as a text fixture',
    load: async () => (await import('./suite/record.ts')).record,
  },
  replay: {
    summary: 'replay fixtures, or repeat a failure of a run',
    load: async () => (await import('./suite/replay.ts')).replay,
  },
  diff: {
    summary: 'send the same requests to two gateways and report differences',
    load: async () => (await import('./suite/diff.ts')).diff,
  },
  operator: {
    summary: 'run one operator as a separate process',
    load: async () => (await import('./operator.ts')).operator,
  },
  keys: {
    summary: 'create, rotate, delete and list API keys',
    load: async () => (await import('./keys.ts')).keys,
  },
  db: {
    summary: 'migrate a database, or show its status',
    load: async () => (await import('./db.ts')).db,
  },
  snapshot: {
    summary: 'save database, contents and chain to a file, and restore them',
    load: async () => (await import('./snapshot.ts')).snapshot,
  },
  content: {
    summary: 'store and read files by content id (IPFS CID)',
    load: async () => (await import('./content.ts')).content,
  },
  policy: {
    summary: 'simulate a policy and its oracles from files',
    load: async () => (await import('./policy.ts')).policy,
  },
  'policy-data': {
    summary: 'simulate an oracle in its sandbox',
    load: async () => (await import('./policyData.ts')).policyData,
  },
  regorus: {
    summary: 'evaluate and inspect policies with the engine of the service',
    load: async () => (await import('./regorus.ts')).regorus,
  },
  opa: {
    summary: 'run the unit tests of policies',
    load: async () => (await import('./opa.ts')).opa,
  },
  version: {
    summary: 'print versions, and check the compatibility of a policy',
    load: async () => (await import('./version.ts')).version,
  },
}
