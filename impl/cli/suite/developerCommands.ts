import type { Commands } from '../commandDefinition.ts'

/** Commands that test the suite itself. They need a clone: the published package is built without them. */
export const developerCommands: Commands = {
  mutants: {
    summary: 'run the suite against gateways with one fault each, and report which it detects',
    group: 'Conformance',
    load: async () => (await import('./mutants.ts')).mutants,
  },
  variants: {
    summary: 'run the suite against correct gateways with other choices, and report false alarms',
    group: 'Conformance',
    load: async () => (await import('./variants.ts')).variants,
  },
}
