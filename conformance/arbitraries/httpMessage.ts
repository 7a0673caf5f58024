import fc from 'fast-check'

/** A header name with a prefix that no HTTP header has. */
export const ownHeaderName = (): fc.Arbitrary<string> =>
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,18}[A-Za-z0-9]$/).map((name) => `X-${name}`)

/** A value that HTTP transmits unchanged: visible ASCII, blanks inside. */
export const wholeHeaderValue = (): fc.Arbitrary<string> =>
  fc.stringMatching(/^[!-~][ -~]{0,30}[!-~]$/).filter((value) => value.trim() === value)

/** Bodies that are not text: empty, single bytes, invalid UTF-8, long ones. */
export const arbitraryBytes = (): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    // Long ones too: a byte lost at the end cannot be detected in a short one.
    fc.uint8Array({ minLength: 32, maxLength: 300, size: 'max' }),
    fc.constantFrom(
      Uint8Array.of(0),
      Uint8Array.of(0xff, 0xfe, 0x00),
      Uint8Array.of(0xc3, 0x28),
      new Uint8Array(0),
    ),
  )
