/** Codes of Solidity's `Panic(uint256)`. */
const panics: Readonly<Record<number, string>> = {
  0: 'a panic without a reason',
  1: 'an assertion failed',
  17: 'arithmetic overflow or underflow',
  18: 'division by zero',
  33: 'a value is outside its enum',
  34: 'storage bytes are encoded wrongly',
  49: 'pop of an empty array',
  50: 'an index is outside its array',
  65: 'too much memory, or an array that is too large',
  81: 'a call of an internal function that is not set',
}

/** A code of `Panic` in words, such as `0x11: arithmetic overflow or underflow`. */
export function panicText(code: unknown): string {
  const value = Number(code)
  const hex = `0x${value.toString(16).padStart(2, '0')}`
  return `${hex}: ${panics[value] ?? 'a code that Solidity does not define'}`
}
