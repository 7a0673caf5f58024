import type { Commands } from '../commandDefinition.ts'
import { mergeCommands } from './mergeCommands.ts'

/** Commands of the conformance suite, in the order of the help text; those that start a local stack fail where none is installed. */
export const suiteCommands = {
  certify: {
    summary: 'certify a gateway; by default a local stack',
    group: 'Conformance',
    isCommon: true,
    load: async () => (await import('./certify.ts')).certify,
  },
  init: {
    summary: 'probe a gateway and write a target file for it',
    group: 'Conformance',
    isCommon: true,
    load: async () => (await import('./init.ts')).init,
  },
  doctor: {
    summary: 'report what a target lacks for certification',
    group: 'Conformance',
    isCommon: true,
    load: async () => (await import('./doctor.ts')).doctor,
  },
  run: {
    summary: 'run selected checks against a gateway',
    group: 'Conformance',
    isCommon: true,
    load: async () => (await import('./run.ts')).run,
  },
  explain: {
    summary: 'describe a check, a clause or a mutant',
    group: 'Conformance',
    isCommon: true,
    load: async () => (await import('./explain.ts')).explain,
  },
  record: {
    summary: 'record the traffic of a client as a fixture',
    group: 'Conformance',
    isCommon: true,
    load: async () => (await import('./record.ts')).record,
  },
  replay: {
    summary: 'replay fixtures, or repeat a failure of a run',
    group: 'Conformance',
    isCommon: true,
    load: async () => (await import('./replay.ts')).replay,
  },
  list: {
    summary: 'list the checks of the suite; takes the filters of a run',
    group: 'Conformance',
    load: async () => (await import('./list.ts')).list,
  },
  clauses: {
    summary: 'list the clauses of the specification',
    group: 'Conformance',
    load: async () => (await import('./clauses.ts')).clauses,
  },
  coverage: {
    summary: 'list the checks and mutants that cover each clause',
    group: 'Conformance',
    load: async () => (await import('./coverage.ts')).coverage,
  },
  verify: {
    summary: 'verify the certificate of a run against its evidence',
    group: 'Conformance',
    load: async () => (await import('./verify.ts')).verify,
  },
  compare: {
    summary: 'compare two runs of the suite',
    group: 'Conformance',
    load: async () => (await import('./compare.ts')).compare,
  },
  baseline: {
    summary: 'maintain a list of known failures, each with an owner and an expiry date',
    group: 'Conformance',
    load: async () => (await import('./baseline.ts')).baseline,
  },
  ...mergeCommands,
  diff: {
    summary: 'send the same requests to two gateways and report differences',
    group: 'Conformance',
    load: async () => (await import('./diff.ts')).diff,
  },
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    group: 'Operations',
    load: async () => (await import('../completion.ts')).completion,
  },
} satisfies Commands
