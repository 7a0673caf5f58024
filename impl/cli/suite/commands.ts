import type { Commands } from '../commandDefinition.ts'
import { mergeCommands } from './mergeCommands.ts'

/** Commands of the conformance suite, in the order of the help text; those that start a local stack fail where none is installed. */
export const suiteCommands = {
  init: {
    summary: 'probe a gateway and write a target file for it',
    load: async () => (await import('./init.ts')).init,
  },
  doctor: {
    summary: 'report what a target lacks for certification, and which checks that excludes',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  certify: {
    summary: 'certify a gateway against the specification; by default a local stack',
    load: async () => (await import('./certify.ts')).certify,
  },
  baseline: {
    summary: 'maintain a list of known failures, each with an owner and an expiry date',
    load: async () => (await import('./baseline.ts')).baseline,
  },
  clauses: {
    summary: 'list the clauses of the specification',
    load: async () => (await import('./clauses.ts')).clauses,
  },
  coverage: {
    summary: 'list the checks and mutants that cover each clause',
    load: async () => (await import('./coverage.ts')).coverage,
  },
  explain: {
    summary: 'describe a check, a clause or a mutant',
    load: async () => (await import('./explain.ts')).explain,
  },
  run: {
    summary: 'run selected checks of the suite against a gateway',
    load: async () => (await import('./run.ts')).run,
  },
  list: {
    summary: 'list the checks of the suite; takes the filters of a run',
    load: async () => (await import('./list.ts')).list,
  },
  ...mergeCommands,
  compare: {
    summary: 'compare two runs of the suite',
    load: async () => (await import('./compare.ts')).compare,
  },
  verify: {
    summary: 'verify the certificate of a run against its evidence',
    load: async () => (await import('./verify.ts')).verify,
  },
  record: {
    summary: 'record the traffic between a client and a gateway as a text fixture',
    load: async () => (await import('./record.ts')).record,
  },
  replay: {
    summary: 'replay fixtures, or repeat a failure of a run',
    load: async () => (await import('./replay.ts')).replay,
  },
  diff: {
    summary: 'send the same requests to two gateways and report differences',
    load: async () => (await import('./diff.ts')).diff,
  },
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('../completion.ts')).completion,
  },
} satisfies Commands
