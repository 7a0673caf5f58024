const isLetter = (char: string): boolean => /\p{L}/u.test(char)
const isDigit = (char: string | undefined): boolean => char !== undefined && /\p{Nd}/u.test(char)

/** The order in which Go's package writes the members of an object: `a2` before `a10`, digits and signs before letters. */
export function compareYamlKeys(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [left[i] as string, right[i] as string]
    if (x === y) continue
    const [xIsLetter, yIsLetter] = [isLetter(x), isLetter(y)]
    if (xIsLetter !== yIsLetter) return yIsLetter ? -1 : 1
    return xIsLetter ? codeOf(x) - codeOf(y) : compareNumbers(left, right, i)
  }
  return left.length - right.length
}

/** Of two texts that differ from a character on that is no letter: by their numbers, if they have some there. */
function compareNumbers(left: readonly string[], right: readonly string[], from: number): number {
  const [x, y] = [left[from] as string, right[from] as string]
  // A zero is a digit of the number before it, unless that is zero.
  const isWithinNumber = (x === '0' || y === '0') && hasNumberBefore(left, from)
  const a = numberAt(left, from, isWithinNumber)
  const b = numberAt(right, from, isWithinNumber)
  if (a.value !== b.value) return a.value < b.value ? -1 : 1
  return a.end === b.end ? codeOf(x) - codeOf(y) : a.end - b.end
}

function hasNumberBefore(text: readonly string[], at: number): boolean {
  for (let i = at - 1; isDigit(text[i]); i--) if (text[i] !== '0') return true
  return false
}

/** Numbers overflow as in Go, and digits of other scripts count by their distance from `0`. */
function numberAt(text: readonly string[], from: number, isWithinNumber: boolean) {
  let value = isWithinNumber ? 1n : 0n
  let end = from
  for (; isDigit(text[end]); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(text[end] as string) - 48))
  }
  return { value, end }
}

const codeOf = (char: string): number => char.codePointAt(0) as number
