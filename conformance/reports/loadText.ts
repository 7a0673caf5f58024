import type { MachineLoad } from '../core/events.ts'

/** The load of the machine during a run. */
export const loadText = ({ begin, end, processors }: MachineLoad): string =>
  `${begin} at the start, ${end} at the end, on ${processors} processors`

/** The same where it was so high that times of this run say little; undefined otherwise. */
export const highLoadText = (load: MachineLoad | undefined): string | undefined =>
  load === undefined || Math.max(load.begin, load.end) <= load.processors
    ? undefined
    : `${loadText(load)}: more than one process for each of them`
