import type { Verb } from './verb.ts'

/** Every verb of `svc`, in the order of the help text; a verb's file is loaded when it is called. */
export const verbs: Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<Verb> }>
> = {
  start: {
    summary: 'boot the whole service on this machine, chain included, and say how to call it',
    load: async () => (await import('./start.ts')).start,
  },
  serve: {
    summary: 'run a gateway on a chain and contracts that are already there',
    load: async () => (await import('./serve.ts')).serve,
  },
  indexer: {
    summary: 'follow the chains for the explorer, apart from the gateways',
    load: async () => (await import('./indexer.ts')).indexer,
  },
  init: {
    summary: 'write a target file from what a gateway shows of itself',
    load: async () => (await import('./suite/init.ts')).init,
  },
  doctor: {
    summary: 'say what is missing before a target can be certified, and what that costs',
    load: async () => (await import('./suite/doctor.ts')).doctor,
  },
  certify: {
    summary: 'certify a gateway against the specification, by default one booted here',
    load: async () => (await import('./suite/certify.ts')).certify,
  },
  baseline: {
    summary: 'keep a list of known failures, each with an owner and a day',
    load: async () => (await import('./suite/baseline.ts')).baseline,
  },
  clauses: {
    summary: 'list the specification as numbered clauses',
    load: async () => (await import('./suite/clauses.ts')).clauses,
  },
  coverage: {
    summary: 'say which checks and which mutants speak for each clause',
    load: async () => (await import('./suite/coverage.ts')).coverage,
  },
  explain: {
    summary: 'tell what a check, a clause or a mutant is about',
    load: async () => (await import('./suite/explain.ts')).explain,
  },
  mutants: {
    summary: 'say how much the suite catches: gateways with one fault each',
    load: async () => (await import('./suite/mutants.ts')).mutants,
  },
  run: {
    summary: 'run some checks of the suite against a gateway',
    load: async () => (await import('./suite/run.ts')).run,
  },
  list: {
    summary: 'list the checks of the suite, with the filters of a run',
    load: async () => (await import('./suite/list.ts')).list,
  },
  merge: {
    summary: 'put the event logs of shards together, with the reports of the whole',
    load: async () => (await import('./suite/merge.ts')).merge,
  },
  compare: {
    summary: 'say what is different between two runs of the suite',
    load: async () => (await import('./suite/compare.ts')).compare,
  },
  verify: {
    summary: 'verify the certificate of a run against its evidence',
    load: async () => (await import('./suite/verify.ts')).verify,
  },
  record: {
    summary: 'record what any client says to a gateway, as a fixture of text',
    load: async () => (await import('./suite/record.ts')).record,
  },
  replay: {
    summary: 'send fixtures again, or ask once more what failed in a run',
    load: async () => (await import('./suite/replay.ts')).replay,
  },
  diff: {
    summary: 'ask two gateways the same, and tell where they differ',
    load: async () => (await import('./suite/diff.ts')).diff,
  },
  operator: {
    summary: 'run one operator as a process of its own',
    load: async () => (await import('./operator.ts')).operator,
  },
  keys: {
    summary: 'create, rotate, delete and list API keys',
    load: async () => (await import('./keys.ts')).keys,
  },
  db: {
    summary: 'upgrade a database, or say what is in it',
    load: async () => (await import('./db.ts')).db,
  },
  snapshot: {
    summary: 'save database, contents and chain to one file, and load them',
    load: async () => (await import('./snapshot.ts')).snapshot,
  },
  content: {
    summary: 'keep files by content id, and print the id that IPFS tools give them',
    load: async () => (await import('./content.ts')).content,
  },
  policy: {
    summary: 'run a policy with its oracles from files',
    load: async () => (await import('./policy.ts')).policy,
  },
  'policy-data': {
    summary: 'run an oracle in its sandbox',
    load: async () => (await import('./policyData.ts')).policyData,
  },
  regorus: {
    summary: 'evaluate, parse and inspect policies as the service would',
    load: async () => (await import('./regorus.ts')).regorus,
  },
  opa: {
    summary: 'run the unit tests of policies',
    load: async () => (await import('./opa.ts')).opa,
  },
  version: {
    summary: 'say which versions this is made of, and check one against a policy',
    load: async () => (await import('./version.ts')).version,
  },
}
