import fc from 'fast-check'
import { codePoint } from './codePoint.ts'

/** Length in bytes of a task id or policy id, and of an address. */
export type Length = 32 | 20

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((raw) => Buffer.from(raw).toString('hex'))

/** Lower case, upper case, or mixed. */
const anyLetters = (hex: fc.Arbitrary<string>) =>
  fc
    .tuple(hex, fc.constantFrom('lower', 'upper', 'mixed'))
    .map(([text, letters]) =>
      letters === 'lower'
        ? text
        : letters === 'upper'
          ? text.toUpperCase()
          : text.replace(/[a-f]/g, (letter, at: number) =>
              at % 2 === 0 ? letter : letter.toUpperCase(),
            ),
    )

/** A path segment as sent: never empty, never a dot segment. */
const segments = fc.oneof(
  fc.string({ unit: codePoint, minLength: 1, maxLength: 40 }).map(escaped),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    '%00',
    '%zz',
    '%',
    '%c3%28',
    '%2e%2e%2f',
    '..%5c',
    '*',
    "'",
    '0x',
    '0X',
    '-1',
  ),
  fc.integer({ min: 1, max: 4_000 }).map((length) => 'a'.repeat(length)),
)

function escaped(text: string): string {
  return text === '.' || text === '..' ? '%2e%2e%2e' : encodeURIComponent(text)
}

/** An unknown id of that length, a nearly valid one, or any path segment. */
export const anyIdLike = (length: Length): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: anyLetters(hexOf(length)).map((hex) => `0x${hex}`) },
    { weight: 1, arbitrary: hexOf(length) },
    { weight: 1, arbitrary: hexOf(length).map((hex) => `0X${hex}`) },
    { weight: 1, arbitrary: hexOf(length - 1).map((hex) => `0x${hex}`) },
    { weight: 1, arbitrary: hexOf(length + 1).map((hex) => `0x${hex}`) },
    { weight: 3, arbitrary: segments },
  )

/** Whether it has the format of section 2.9, and so is either known or 404. */
export const isWholeId = (id: string, length: Length): boolean =>
  new RegExp(`^0x[0-9a-fA-F]{${2 * length}}$`).test(id)

const times = fc.oneof(
  fc
    .date({ min: new Date(0), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+02:00',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:60Z',
    '+275760-09-13T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '1767225600',
    'now',
    'infinity',
    'yesterday',
    'NaN',
  ),
)

const numbers = fc.oneof(
  fc.integer({ min: -2, max: 103 }).map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.double().map(String),
  fc.constantFrom('', ' ', '1.0', '+1', '01', '1e1', '0x1', '1_0', 'null', 'true', '１', '[]'),
)

const parameter = (name: string): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 3, arbitrary: name.includes('window') ? times : numbers },
      { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 20 }) },
    )
    .map((value) => `${name}=${encodeURIComponent(value)}`)

/** A query with some of these parameters, some twice, with mostly invalid values. */
export const anyQuery = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...names).chain(parameter) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            '&&',
            '=',
            'page',
            '%',
            'size[]=1',
            '__proto__=1',
            'a=%zz',
            '%00',
          ),
        },
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('&'))

/** Any header value: printable, of reasonable length. */
export const anyHeaderValue = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
      maxLength: 60,
    }),
    fc.string({
      unit: fc.integer({ min: 0xa1, max: 0xff }).map((c) => String.fromCharCode(c)),
      maxLength: 20,
    }),
    fc.constantFrom(
      'Testnet',
      'TESTNET',
      'testnet,mainnet',
      'test net',
      'sepolia',
      '1',
      'null',
      '*',
      "'",
    ),
    fc.integer({ min: 1, max: 3_000 }).map((length) => 'x'.repeat(length)),
  )
