import type { CheckInfo } from './check.ts'
import { measured } from './measured.ts'

/** For a check that is not in the table. */
const usualMs = 100

/** From here on a check counts as slow. */
const slowMs = 2_000

/** How long a check takes on an idle machine, milliseconds: measured, or estimated. */
export const expectedMs = ({ id }: Pick<CheckInfo, 'id'>): number => measured[id] ?? usualMs

export const isSlow = (check: Pick<CheckInfo, 'id'>): boolean => expectedMs(check) >= slowMs

/** Slow checks start first. Checks of equal duration keep their order. */
export const longestFirst = <C extends CheckInfo>(checks: readonly C[]): readonly C[] =>
  [...checks].sort((a, b) => expectedMs(b) - expectedMs(a))
