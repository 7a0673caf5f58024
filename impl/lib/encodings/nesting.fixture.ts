import fc from 'fast-check'

/**
 * Ways to embed a text in another, as clients do; implemented independently of the code under test.
 */
const wraps: Readonly<Record<string, (text: string) => string>> = {
  hex: (text) => Buffer.from(text).toString('hex'),
  '0x hex': (text) => `0x${Buffer.from(text).toString('hex')}`,
  HEX: (text) => Buffer.from(text).toString('hex').toUpperCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 without padding': (text) => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'JSON string': (text) => JSON.stringify(text),
  'JSON object': (text) => JSON.stringify({ note: 'n', key: text, more: [1, null] }),
  'JSON in ASCII': (text) =>
    JSON.stringify({ key: text }).replaceAll(
      /[\u007f-\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  url: (text) => encodeURIComponent(text),
  query: (text) => `https://a.example/v1?page=1&k=${encodeURIComponent(text)}&z=2`,
  form: (text) => new URLSearchParams({ grant: 'x', key: text, last: '1' }).toString(),
  'each escaped': (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  token: (text) =>
    `${Buffer.from('{"typ":"x"}').toString('base64url')}.${Buffer.from(JSON.stringify({ sub: text })).toString('base64url')}.c2ln`,
  basic: (text) => `Basic ${Buffer.from(`user:${text}`).toString('base64')}`,
  calldata: (text) => {
    const bytes = Buffer.from(text)
    const length = bytes.length.toString(16).padStart(64, '0')
    return `0x12c0ffee${'20'.padStart(64, '0')}${length}${bytes.toString('hex')}${'00'.repeat((32 - (bytes.length % 32)) % 32)}`
  },
  bytes: (text) =>
    Buffer.concat([
      Buffer.from([0xff, 0x00, 0x9c]),
      Buffer.from(text),
      Buffer.from([0xfe]),
    ]).toString('base64'),
}

/** Up to four nested ways. */
export const carrier: fc.Arbitrary<(text: string) => string> = fc
  .array(fc.constantFrom(...Object.keys(wraps)), { minLength: 0, maxLength: 4 })
  .map((names) => {
    const wrap = (text: string) => names.reduce((inner, name) => wraps[name]!(inner), text)
    return Object.assign(wrap, { toString: () => names.join(' in ') || 'unencoded' })
  })

/** Realistic values of secrets, including unusual characters. */
export const secretWord: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9]{10,40}$/),
  fc.stringMatching(/^[A-Za-z0-9_-]{12,40}$/),
  fc.stringMatching(/^[a-z]{3,8}["\\/+ %&=é-][A-Za-z0-9"\\/+ %&=]{6,20}$/),
  fc.stringMatching(/^0x[0-9a-f]{64}$/),
)

const latin1 = (text: string) =>
  [...text].some((c) => c > '\u00ff') ? Buffer.from(text).toString('latin1') : text

function decodings(text: string): readonly string[] {
  const attempts: (() => string)[] = []
  for (const [word] of text.matchAll(/[0-9a-fA-F]{8,}/g))
    for (const from of [0, 1])
      attempts.push(() => Buffer.from(word.slice(from), 'hex').toString('latin1'))
  for (const alphabet of [/[A-Za-z0-9+/]{8,}/g, /[A-Za-z0-9_-]{8,}/g])
    for (const [word] of text.matchAll(alphabet))
      for (const from of [0, 1, 2, 3])
        attempts.push(() => Buffer.from(word.slice(from), 'base64').toString('latin1'))
  for (const part of text.split(/[^\w.~!*'()%+-]/).filter((each) => each.includes('%')))
    for (const plus of ['+', ' '])
      attempts.push(() => latin1(decodeURIComponent(part.replaceAll('+', plus))))
  for (const part of text.split(/[^\w.*%+-]/).filter((each) => each.includes('+')))
    attempts.push(() => part.replaceAll('+', ' '))
  for (const [, part] of text.matchAll(/(?:^|")((?:[^"\\]|\\.)+)(?="|$)/g))
    if (part!.includes('\\')) attempts.push(() => latin1(JSON.parse(`"${part}"`) as string))
  return attempts.flatMap((attempt) => {
    try {
      return [attempt()]
    } catch {
      return []
    }
  })
}

/**
 * Whether a text, or anything that its parts decode to, contains a value: an independent search.
 */
export function isAnywhereIn(text: string, secret: string): boolean {
  const raw = /^0x([0-9a-f]{64})$/.exec(secret)?.[1]
  const needles = [
    Buffer.from(secret).toString('latin1'),
    secret,
    ...(raw === undefined ? [] : [raw, Buffer.from(raw, 'hex').toString('latin1')]),
  ]
  const seen = new Set<string>()
  const holds = (each: string): boolean => {
    if (seen.has(each)) return false
    seen.add(each)
    return needles.some((needle) => each.includes(needle)) || decodings(each).some(holds)
  }
  return holds(text)
}
