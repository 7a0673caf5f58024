import type { Commands } from '../commandDefinition.ts'

/** The command of `mergeMain.ts`. */
export const mergeCommands = {
  merge: {
    summary: 'merge the event logs of shards and write the reports',
    group: 'Conformance',
    load: async () => (await import('./merge.ts')).merge,
  },
} satisfies Commands
