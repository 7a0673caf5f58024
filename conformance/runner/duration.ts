import { CannotRun } from '../core/conformanceError.ts'

const units = { ms: 1, s: 1_000, m: 60_000 } as const

const longestMs = 24 * 3_600_000

/** Parses a duration flag: `30s`, `500ms`, `2m`; seconds without a unit. */
export const parseDuration = (flag: string, text: string): number => {
  const [, number, unit = 's'] = /^([0-9]{1,9}(?:\.[0-9]{1,3})?)(ms|s|m)?$/.exec(text) ?? []
  const ms = number === undefined ? 0 : Number(number) * units[unit as keyof typeof units]
  if (ms < 1 || ms > longestMs)
    throw new CannotRun(`--${flag} '${text}' is not a duration`, 'Use 30s, 500ms or 2m.')
  return ms
}
