import type { Check } from './check.ts'
import { measured } from './measured.ts'

/** Of a check that is not in the table. */
const usualMs = 100

/** From here on a check counts as slow. */
const slowMs = 2_000

/** How long a check takes on a quiet machine, milliseconds: measured, or a guess. */
export const expectedMs = ({ id }: Pick<Check, 'id'>): number => measured[id] ?? usualMs

export const isSlow = (check: Pick<Check, 'id'>): boolean => expectedMs(check) >= slowMs

/** So that what takes long is not begun last. Checks of one length keep their order. */
export const longestFirst = (checks: readonly Check[]): readonly Check[] =>
  [...checks].sort((a, b) => expectedMs(b) - expectedMs(a))
