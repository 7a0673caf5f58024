import fc from 'fast-check'

/** A request, with everything that a client controls. */
export type FuzzedRequest = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

/** A change of a JSON value; `at` selects the location. */
type Edit =
  | { readonly kind: 'replace'; readonly at: number; readonly value: unknown }
  | { readonly kind: 'remove' | 'repeat' | 'nest' | 'rename'; readonly at: number }
  | { readonly kind: 'text'; readonly at: number; readonly how: TextEdit }

type TextEdit = 'cut' | 'extend' | 'flip' | 'case' | 'blank' | 'zero' | 'long'

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  -0.5,
  2 ** 53,
  Number.MAX_VALUE,
  4_294_967_296,
  '',
  '0x',
  '0x0',
  '0x00',
  '0xzz',
  '0X12',
  `0x${'f'.repeat(64)}`,
  `0x${'0'.repeat(40)}`,
  '\u0000',
  '\ud800',
  '\u202e{{7*7}}',
  "'; drop table tasks; --",
  '../../../../etc/passwd',
  'a'.repeat(70_000),
  [],
  {},
  [[[[[[[[]]]]]]]],
  { toString: 1, valueOf: 2, constructor: { prototype: null } },
]

function edit(): fc.Arbitrary<Edit> {
  const at = fc.nat({ max: 60 })
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('replace' as const),
        at,
        value: fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...oddValues) },
          { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
          { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'remove' as const,
          'repeat' as const,
          'nest' as const,
          'rename' as const,
        ),
        at,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('text' as const),
        at,
        how: fc.constantFrom<TextEdit>('cut', 'extend', 'flip', 'case', 'blank', 'zero', 'long'),
      }),
    },
  )
}

function edited(text: string, how: TextEdit): string {
  switch (how) {
    case 'cut':
      return text.slice(0, -1)
    case 'extend':
      return `${text}0`
    case 'flip':
      return text.replace(/[0-9a-f]$/, (last) => (last === '0' ? '1' : '0'))
    case 'case':
      return text.toUpperCase()
    case 'blank':
      return ` ${text}\n`
    case 'zero':
      return `${text.slice(0, 2)}\u0000${text.slice(2)}`
    case 'long':
      return text.repeat(50)
  }
}

type Place = { readonly parent: Record<string, unknown> | unknown[]; readonly key: string }

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    { parent: value as Place['parent'], key },
    ...placesOf(member),
  ])
}

/** A copy of a JSON value with the edits applied in order. */
export function applyEdits(value: unknown, edits: readonly Edit[]): unknown {
  const root = { root: structuredClone(value) }
  for (const change of edits) {
    const places = placesOf(root)
    const { parent, key } = places[change.at % places.length]!
    const holder = parent as Record<string, unknown>
    const old = holder[key]
    if (change.kind === 'replace') holder[key] = structuredClone(change.value)
    else if (change.kind === 'nest') holder[key] = [old]
    else if (change.kind === 'repeat') holder[key] = [old, old, old]
    else if (change.kind === 'rename') holder[`${key}_`] = old
    else if (change.kind === 'text') {
      if (typeof old === 'string') holder[key] = edited(old, change.how)
    } else if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete holder[key]
    if (!('root' in root)) Object.assign(root, { root: null })
  }
  return root.root
}

type BytesEdit = { readonly at: number; readonly cut: number; readonly insert: Uint8Array }

const bytesEdit = (): fc.Arbitrary<BytesEdit> =>
  fc.record({
    at: fc.nat({ max: 4_000 }),
    cut: fc.nat({ max: 20 }),
    insert: fc.uint8Array({ maxLength: 12 }),
  })

const headerEdits: readonly Readonly<Record<string, string | undefined>>[] = [
  { authorization: undefined },
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer  ' },
  { authorization: `Bearer ${'k'.repeat(10_000)}` },
  { authorization: 'Basic a2V5OmtleQ==' },
  { authorization: 'Bearer one, Bearer two' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'identity' },
  { accept: 'text/html' },
  { cookie: 'a=b'.repeat(500) },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '127.0.0.1' },
  { origin: 'https://elsewhere.example' },
  { range: 'bytes=0-1' },
]

/** For one in ten requests; null for the others. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

export type RequestOptions = {
  /** With the brand prefix. */
  readonly method: string
  readonly key: string
  readonly params: (number: number) => Record<string, unknown>
  /** Incremented, so that no two tasks have the same intent. */
  readonly next: () => number
}

/**
 * Requests to one method, from valid to noise: edits of params, envelope, bytes and headers. About
 * one in twelve is unchanged.
 */
export const fuzzedRequest = (options: RequestOptions): fc.Arbitrary<FuzzedRequest> =>
  fc
    .record({
      params: fc.oneof(
        { weight: 1, arbitrary: fc.constant<Edit[]>([]) },
        { weight: 8, arbitrary: fc.array(edit(), { minLength: 1, maxLength: 4 }) },
      ),
      envelope: fc.oneof(
        { weight: 8, arbitrary: fc.constant<Edit[]>([]) },
        { weight: 1, arbitrary: fc.array(edit(), { minLength: 1, maxLength: 2 }) },
      ),
      bytes: seldom(bytesEdit()),
      batch: fc.oneof(
        { weight: 24, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) },
      ),
      headers: seldom(fc.constantFrom(...headerEdits)),
    })
    .map(({ params, envelope, bytes, batch, headers }) => {
      const call = () => {
        const request = {
          jsonrpc: '2.0',
          id: 'fuzz',
          method: options.method,
          params: applyEdits(options.params(options.next()), params),
        }
        return envelope.length === 0 ? request : applyEdits(request, envelope)
      }
      const value = batch === 0 ? call() : Array.from({ length: batch }, call)
      const text = Buffer.from(JSON.stringify(value) ?? 'null')
      return { headers: headersOf(options.key, headers), body: withBytes(text, bytes) }
    })

function headersOf(
  key: string,
  change: Readonly<Record<string, string | undefined>> | null,
): Record<string, string> {
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...change }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function withBytes(text: Buffer, change: BytesEdit | null): Uint8Array<ArrayBuffer> {
  if (change === null) return Uint8Array.from(text)
  const at = change.at % (text.length + 1)
  return Uint8Array.from(
    Buffer.concat([text.subarray(0, at), change.insert, text.subarray(at + change.cut)]),
  )
}
