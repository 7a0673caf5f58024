import { createHash } from 'node:crypto'

/** Letters that nobody takes for another when he reads them out. */
const alphabet = '23456789abcdefghjkmnpqrstvwxyz'

/** Letters of an id: 30^6 of them, so that the checks of a run hardly share one. */
const length = 6

/** A short name of one check with the values of one run: a function of the two, the same everywhere. */
export const replayIdOf = (checkId: string, seed: string): string => {
  let rest = createHash('sha256').update(`${checkId}\n${seed}`).digest().readBigUInt64BE(0)
  let id = ''
  for (let i = 0; i < length; i++) {
    id += alphabet[Number(rest % BigInt(alphabet.length))]
    rest /= BigInt(alphabet.length)
  }
  return `r${id}`
}
