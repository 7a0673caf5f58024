import { hash } from 'node:crypto'

/** Without letters and digits that look alike: ids are copied from a terminal. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

const letters = 7
const ids = alphabet.length ** letters

/** What `polgate replay` accepts as an id; anything else is a file name. */
export const replayIdPattern = /^r[2-9a-hjkmnp-z]{7}$/

/**
 * The name of one check with one seed, such as `r7kq2x9b`: printed with a failure, and enough for
 * `polgate replay` to send the same requests again. It depends on these two alone, so it is the same in
 * every run, shard and report.
 *
 * @param seed as the run prints it: `0x` and eight hex digits
 */
export function replayId(checkId: string, seed: string): string {
  const digest = hash('sha256', `${seed}\n${checkId}`, 'buffer')
  // The first eight bytes, modulo the number of ids: a BigInt would take most of the time of a report.
  let rest = 0
  for (const byte of digest.subarray(0, 8)) rest = (rest * 256 + byte) % ids
  let id = 'r'
  for (let i = 0; i < letters; i++) {
    id += alphabet[rest % alphabet.length]
    rest = Math.floor(rest / alphabet.length)
  }
  return id
}
