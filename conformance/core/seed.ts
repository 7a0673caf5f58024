import { createHash, randomBytes } from 'node:crypto'
import { CannotRun } from './conformanceError.ts'

/** A new seed, as it is printed and as `--seed` takes it. */
export const freshSeed = (): string => `0x${randomBytes(4).toString('hex')}`

/** Parses `--seed`: hex with `0x` or decimal, 32 bits. */
export function parseSeed(text: string): string {
  const value = /^(0x[0-9a-f]{1,8}|[0-9]{1,10})$/i.test(text) ? Number(text) : Number.NaN
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff)
    throw new CannotRun(
      `seed '${text}' is not a 32-bit number`,
      'Use a number such as 0x5eed42 or 6221122.',
    )
  return `0x${value.toString(16).padStart(8, '0')}`
}

/**
 * A 32-bit seed for one use of one check: the same seed gives every check the same values, whatever
 * else is selected and in whatever order checks run.
 */
export const derivedSeed = (seed: string, ...names: readonly string[]): number =>
  createHash('sha256')
    .update([seed, ...names].join('\n'))
    .digest()
    .readInt32BE(0)
