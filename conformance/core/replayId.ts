import { createHash } from 'node:crypto'

/** Without letters and digits that look alike: ids are copied from a terminal. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

const letters = 7

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
  const digest = createHash('sha256').update(`${seed}\n${checkId}`).digest()
  let id = 'r'
  let rest = BigInt(`0x${digest.subarray(0, 8).toString('hex')}`)
  for (let i = 0; i < letters; i++) {
    id += alphabet[Number(rest % BigInt(alphabet.length))]
    rest /= BigInt(alphabet.length)
  }
  return id
}
