import { createHash } from 'node:crypto'

/** Without letters and digits that look alike: people copy these from a terminal. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

const letters = 7

/** What `svc replay` takes for an id; anything else is the name of a file. */
export const replayIdPattern = /^r[2-9a-hjkmnp-z]{7}$/

/**
 * The name of one check with one seed, such as `r7kq2x9b`: printed with a failure, and enough for
 * `svc replay` to ask the same again. A function of both alone, so it is the same in every run,
 * shard and report.
 *
 * @param seed as the run prints it: `0x` and eight hex digits
 */
export const replayId = (checkId: string, seed: string): string => {
  const digest = createHash('sha256').update(`${seed}\n${checkId}`).digest()
  let id = 'r'
  let rest = BigInt(`0x${digest.subarray(0, 8).toString('hex')}`)
  for (let i = 0; i < letters; i++) {
    id += alphabet[Number(rest % BigInt(alphabet.length))]
    rest /= BigInt(alphabet.length)
  }
  return id
}
