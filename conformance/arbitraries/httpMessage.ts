import fc from 'fast-check'

/** A name that is nobody's: no header of HTTP begins so. */
export const ownHeaderName = (): fc.Arbitrary<string> =>
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,18}[A-Za-z0-9]$/).map((name) => `X-${name}`)

/** What HTTP takes as it is: visible ASCII, blanks inside. */
export const wholeHeaderValue = (): fc.Arbitrary<string> =>
  fc.stringMatching(/^[!-~][ -~]{0,30}[!-~]$/).filter((value) => value.trim() === value)

/** Bodies that are no text: none, single bytes, broken UTF-8, long ones. */
export const oddBytes = (): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    // Long ones as well: a byte that is lost at the end is seen in none of the short ones.
    fc.uint8Array({ minLength: 32, maxLength: 300, size: 'max' }),
    fc.constantFrom(
      Uint8Array.of(0),
      Uint8Array.of(0xff, 0xfe, 0x00),
      Uint8Array.of(0xc3, 0x28),
      new Uint8Array(0),
    ),
  )
