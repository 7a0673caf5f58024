import { randomBytes } from 'node:crypto'
import { isToken } from './guard.ts'

/** How long a code can be used, milliseconds. */
export const codeLifeMs = 60_000
/** Codes that wait to be used; more than a user can ask for in a minute. */
const most = 8

/**
 * Codes that stand for the token where others can read along, such as among the arguments of a process: each works
 * once, within a minute.
 */
export function oneTimeCodes(now: () => number = Date.now): {
  create(): string
  /** @returns whether it is a code that had not been used; it is used now */
  use(given: string): boolean
} {
  let codes: { readonly code: string; readonly until: number }[] = []
  return {
    create() {
      const code = randomBytes(24).toString('base64url')
      codes = [...codes, { code, until: now() + codeLifeMs }].slice(-most)
      return code
    },
    use(given) {
      const valid = codes.filter(({ until }) => now() < until)
      codes = valid.filter(({ code }) => !isToken(given, code))
      return codes.length < valid.length
    },
  }
}
