import { concatHex, type Hex, hexToBigInt, slice, toHex } from 'viem'

/** Calldata with one ABI word changed. */
export type ChangedWord = {
  /** The position and the change: `word 12 (0x1a0): plus 32`. */
  readonly what: string
  readonly data: Hex
}

const modulus = 1n << 256n

/** Changes of a word: values, neighbours, single bits, and steps of offsets and lengths. */
const changes: Readonly<Record<string, (value: bigint) => bigint>> = {
  zero: () => 0n,
  max: () => modulus - 1n,
  'plus 1': (value) => value + 1n,
  'minus 1': (value) => value - 1n,
  'plus 25': (value) => value + 25n,
  'plus 32': (value) => value + 32n,
  'minus 32': (value) => value - 32n,
  'bit 8 flipped': (value) => value ^ (1n << 8n),
  'bit 32 flipped': (value) => value ^ (1n << 32n),
  'bit 160 flipped': (value) => value ^ (1n << 160n),
  'bit 255 flipped': (value) => value ^ (1n << 255n),
}

/** Every word of the arguments with each change; changes without effect are skipped. */
export function changedWords(calldata: Hex): readonly ChangedWord[] {
  const selector = slice(calldata, 0, 4)
  const words: Hex[] = []
  for (let at = 4; 2 + at * 2 < calldata.length; at += 32) words.push(slice(calldata, at, at + 32))
  const dataWith = (changed: readonly Hex[]) => concatHex([selector, ...changed])
  return words.flatMap((word, at) => {
    const name = `word ${at} (${toHex(at * 32)})`
    const value = hexToBigInt(word)
    const changed = Object.entries(changes).map(([how, change]) => {
      const given = (((change(value) % modulus) + modulus) % modulus) as bigint
      return { what: `${name}: ${how}`, data: dataWith(words.with(at, toHex(given, { size: 32 }))) }
    })
    const next = words[at + 1]
    if (next !== undefined) {
      changed.push(
        {
          what: `${name}: swapped with the next`,
          data: dataWith(words.with(at, next).with(at + 1, word)),
        },
        { what: `${name}: that of the next`, data: dataWith(words.with(at, next)) },
      )
    }
    return changed.filter(({ data }) => data !== calldata)
  })
}
