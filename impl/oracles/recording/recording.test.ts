// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are such texts
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFixtureHost } from '../../../fixtures/host/fixtureHost.ts'
import { createEgress } from '../egress.ts'
import { createHostFetch, type HostFetch, type HostRequest } from '../hostFetch.ts'
import { HostFetchError } from '../hostFetchError.ts'
import { defaultOracleLimits } from '../limits.ts'
import type { Exchange, ExchangeAnswer, Recording } from './exchange.ts'
import { createRecorder } from './recorder.ts'
import { RecordingError } from './recordingError.ts'
import { readRecording, refuseOverwrite, writeRecording } from './recordingFile.ts'
import { formatRecording, parseRecording } from './recordingFormat.ts'
import { type SecretsByOracle, withoutSecrets, withSecrets } from './redactRecording.ts'
import { createReplayer } from './replayer.ts'
import { requestKey } from './requestKey.ts'

const limits = defaultOracleLimits
const never = new AbortController().signal
const bytes = (text: string) => Uint8Array.from(Buffer.from(text))
const secrets: SecretsByOracle = new Map([['', { API_KEY: 'a-key-of-some-length', REGION: 'eu' }]])

const get = (url: string, headers: [string, string][] = []): HostRequest => ({
  url,
  method: 'GET',
  headers,
})
const ok = (body: string): ExchangeAnswer => ({
  kind: 'response',
  response: { status: 200, headers: [['content-type', 'application/json']], body: bytes(body) },
})
const recordingOf = (
  exchanges: readonly Exchange[],
  redactedHeaders: string[] = [],
): Recording => ({
  now: 1_700_000_000_000,
  seed: 'ab'.repeat(32),
  redactedHeaders,
  exchanges,
})

/** As in a file, and out of it again. */
const throughFile = (recording: Recording, known = secrets) =>
  withSecrets(parseRecording(formatRecording(withoutSecrets(recording, known)), 'file'), known)

const replayOf = (
  recording: Recording,
  more: { onUnknown?: (error: RecordingError) => void } = {},
) =>
  createReplayer({
    recording,
    name: 'exchanges.yaml',
    clean: (_, text) => text,
    onUnknown: more.onUnknown ?? (() => {}),
  })

const outcomeOf = (fetch: HostFetch, request: HostRequest) =>
  fetch(request, never).then(
    (response) => ({ kind: 'response' as const, response }),
    (error: Error) => ({ kind: 'error' as const, message: error.message }),
  )

const header = fc.tuple(
  fc.stringMatching(/^x-[a-z]{1,6}$/),
  fc.oneof(
    fc.stringMatching(/^[ -~]{0,20}$/),
    fc.constantFrom('a-key-of-some-length', '${secret:X}'),
  ),
)
const body = fc.oneof(
  fc.string({ unit: 'grapheme' }).map(bytes),
  fc.uint8Array({ maxLength: 40 }),
  fc
    .constantFrom(
      '\uFEFF{}',
      'a\r\nb\n',
      '\u0000\u0007',
      '- 1: x',
      '---',
      '1e3',
      'null',
      'eu\u2028',
    )
    .map(bytes),
)
const request = fc
  .record({
    url: fc.constantFrom('http://a.example/x', 'http://a.example/y?q=1', 'https://eu.example/z'),
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    headers: fc.array(header, { maxLength: 4 }),
    body: fc.option(body, { nil: undefined }),
  })
  .map(({ body, ...rest }): HostRequest => (body === undefined ? rest : { ...rest, body }))
const answer: fc.Arbitrary<ExchangeAnswer> = fc.oneof(
  fc
    .record({ status: fc.integer({ min: 200, max: 599 }), headers: fc.array(header), body })
    .map((response) => ({ kind: 'response' as const, response })),
  fc.string().map((message) => ({ kind: 'error' as const, message })),
)

describe('what was recorded is replayed', () => {
  test('whatever is asked and answered, in whatever order', async () => {
    const runs = fc.record({
      exchanges: fc.array(fc.record({ request, answer }), { maxLength: 8 }),
      turn: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(runs, async ({ exchanges, turn }) => {
        const answers = [...exchanges]
        const upstream: HostFetch = async () => {
          const next = answers.shift()!.answer
          if (next.kind === 'response') return next.response
          throw new HostFetchError(next.kind === 'error' ? next.message : '')
        }
        const recorder = createRecorder()
        const live = recorder.through(upstream, limits)
        const seen = []
        for (const { request } of exchanges) seen.push(await outcomeOf(live, request))
        expect(seen).toEqual(exchanges.map(({ answer }) => answer))

        const replayer = replayOf(throughFile(recordingOf(recorder.exchanges())))
        const replayed = replayer.fetchFor(undefined, limits)
        // Those of different requests may come in another order.
        const keys = exchanges.map(({ request }) => requestKey(request, new Set()))
        const first = keys[turn % Math.max(1, keys.length)]
        const order = exchanges
          .map((_, index) => index)
          .sort((a, b) => Number(keys[b] === first) - Number(keys[a] === first) || a - b)
        for (const index of order) {
          expect(await outcomeOf(replayed, exchanges[index]!.request)).toEqual(seen[index])
        }
        expect(replayer.left()).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('failures too, and an answer that never came', async () => {
    const recorder = createRecorder('feed')
    const ended = new AbortController()
    const fetch = recorder.through(async ({ url }) => {
      if (url.endsWith('late')) {
        ended.abort()
        throw new HostFetchError('the run has ended')
      }
      throw new HostFetchError('the HTTP call to a.example failed: ECONNREFUSED')
    }, limits)
    await expect(fetch(get('http://a.example/'), ended.signal)).rejects.toThrow('ECONNREFUSED')
    await expect(fetch(get('http://a.example/late'), ended.signal)).rejects.toThrow('ended')
    const recording = throughFile(recordingOf(recorder.exchanges()))
    expect(recording.exchanges.map(({ oracle, answer }) => [oracle, answer.kind])).toEqual([
      ['feed', 'error'],
      ['feed', 'none'],
    ])
    const replayed = replayOf(recording).fetchFor('feed', limits)
    await expect(replayed(get('http://a.example/'), never)).rejects.toThrow('ECONNREFUSED')
    const again = new AbortController()
    const waiting = replayed(get('http://a.example/late'), again.signal)
    const early = await Promise.race([waiting, new Promise((end) => setTimeout(end, 20, 'waits'))])
    expect(early).toBe('waits')
    again.abort()
    await expect(waiting).rejects.toThrow('the run has ended')
  })

  test('header names and the order of headers make no difference, values do', async () => {
    const recorded = {
      ...get('http://a.example/', [
        ['A', '1'],
        ['b', '2'],
        ['b', '3'],
      ]),
    }
    const replayer = (onUnknown?: () => void) =>
      replayOf(
        recordingOf([{ request: recorded, answer: ok('1') }]),
        onUnknown ? { onUnknown } : {},
      )
    const asked = (headers: [string, string][]) =>
      outcomeOf(replayer().fetchFor(undefined, limits), get('http://a.example/', headers))
    expect(
      await asked([
        ['b', '2'],
        ['a', '1'],
        ['B', '3'],
      ]),
    ).toEqual(ok('1'))
    for (const headers of [
      [['a', '1']],
      [
        ['a', '1'],
        ['b', '3'],
        ['b', '2'],
      ],
    ] as const) {
      expect((await asked(headers.map(([n, v]): [string, string] => [n, v]))).kind).toBe('error')
    }
  })
})

describe('bounds of a run hold in replay', () => {
  const same = Array.from({ length: 60 }, () => ({
    request: get('http://a.example/'),
    answer: ok('{}'),
  }))

  test('with the texts of the host itself', async () => {
    const host = await startFixtureHost()
    const egress = createEgress({ allowedHosts: [host.hostPort] })
    const request = get(`${host.url}/sanctions/0x1`)
    try {
      host.setMode('huge')
      const answers = [ok('x'.repeat(limits.httpResponseBytes + 1)), ok('{}')]
      const recording = recordingOf(answers.map((answer) => ({ request, answer })))
      for (const bounds of [limits, { ...limits, httpCalls: 0 }]) {
        const live = createHostFetch({ egress, limits: bounds })
        const replayed = replayOf(recording).fetchFor(undefined, bounds)
        const said = await outcomeOf(live, request)
        expect(said.kind).toBe('error')
        expect(await outcomeOf(replayed, request)).toEqual(said)
      }
    } finally {
      await egress.close()
      await host.stop()
    }
  })

  test('the number of calls', async () => {
    const fetch = replayOf(recordingOf(same)).fetchFor(undefined, limits)
    for (let call = 0; call < 50; call++) {
      expect((await outcomeOf(fetch, get('http://a.example/'))).kind).toBe('response')
    }
    expect(await outcomeOf(fetch, get('http://a.example/'))).toEqual({
      kind: 'error',
      message: 'limit of 50 HTTP calls in one run exceeded',
    })
  })

  test('the size of a response', async () => {
    const small = { ...limits, httpResponseBytes: 1024 }
    const large = recordingOf([{ request: get('http://a.example/'), answer: ok('x'.repeat(1024)) }])
    const fetch = replayOf(large).fetchFor(undefined, small)
    expect(await outcomeOf(fetch, get('http://a.example/'))).toEqual({
      kind: 'error',
      message: 'the response is larger than 1 KiB',
    })
  })

  test('what the host does not send', async () => {
    const fetch = replayOf(recordingOf(same)).fetchFor(undefined, limits)
    const outcome = await outcomeOf(fetch, get('http://a.example/', [['host', 'b.example']]))
    expect(outcome).toEqual({ kind: 'error', message: "the header host is the host's" })
  })

  test('a limit of the run is no exchange', async () => {
    const recorder = createRecorder()
    const fetch = recorder.through(async () => {
      throw new HostFetchError('limit of 50 HTTP calls in one run exceeded', { final: true })
    }, limits)
    await expect(fetch(get('http://a.example/'), never)).rejects.toThrow('limit of 50')
    expect(recorder.exchanges()).toEqual([])
  })
})

describe('a request without an answer', () => {
  const recorded: Exchange[] = [
    {
      oracle: 'feed',
      request: get('http://a.example/p?q=1', [['x-plan', 'basic']]),
      answer: ok('1'),
    },
    {
      oracle: 'feed',
      request: {
        ...get('http://a.example/post'),
        method: 'POST',
        body: bytes('{"symbol":"ETH","depth":1}'),
      },
      answer: ok('2'),
    },
  ]
  const told = async (request: HostRequest, times = 1) => {
    const errors: RecordingError[] = []
    const replayer = replayOf(recordingOf(recorded), { onUnknown: (error) => errors.push(error) })
    const fetch = replayer.fetchFor('feed', limits)
    for (let at = 0; at < times; at++) await outcomeOf(fetch, request)
    return errors[0]?.message
  }

  test('is shown beside the nearest, member by member', async () => {
    expect(await told(get('http://a.example/p?q=2', [['x-plan', 'full']]))).toMatchInlineSnapshot(`
      "exchanges.yaml has no answer to a request of feed:
        GET http://a.example/p?q=2
      The nearest of 2 is GET http://a.example/p?q=1, which differs:
        query q
          recorded 1
          asked    2
        header x-plan
          recorded basic
          asked    full"
    `)
    const post = { ...get('http://a.example/post'), method: 'POST' }
    expect(
      await told({ ...post, body: bytes('{"symbol":"BTC","depth":1}') }),
    ).toMatchInlineSnapshot(`
      "exchanges.yaml has no answer to a request of feed:
        POST http://a.example/post
      The nearest of 2 is POST http://a.example/post, which differs:
        body.symbol
          recorded "ETH"
          asked    "BTC""
    `)
  })

  test('shows no key, of the secrets or of somebody', async () => {
    const errors: RecordingError[] = []
    const replayer = createReplayer({
      recording: recordingOf(recorded),
      name: 'exchanges.yaml',
      clean: (_, text) => text.replaceAll('a-key-of-some-length', '(key)'),
      onUnknown: (error) => errors.push(error),
    })
    const headers: [string, string][] = [
      ['authorization', 'Bearer 8f14e45fceea167a5a36dedd4bea2543'],
      ['x-long', `${'x'.repeat(190)}a-key-of-some-length`],
    ]
    await outcomeOf(replayer.fetchFor('feed', limits), get('http://a.example/p?q=1', headers))
    expect(errors[0]?.message).toContain('asked    (not shown)')
    expect(errors[0]?.message).toContain('x(key)')
    expect(errors[0]?.message).not.toMatch(/8f14e|a-key/)
  })

  test('may be one that was answered already', async () => {
    const [first] = recorded
    expect(await told(first!.request, 2)).toContain('was asked again')
    expect(await told(first!.request, 1)).toBeUndefined()
  })

  test('has none of another oracle', async () => {
    const replayer = replayOf(recordingOf(recorded))
    const fetch = replayer.fetchFor('other', limits)
    expect((await outcomeOf(fetch, recorded[0]!.request)).kind).toBe('error')
    expect(replayer.left()).toHaveLength(2)
  })
})

describe('secrets stay out of a recording', () => {
  const both: SecretsByOracle = new Map([
    ['feed', { API_KEY: 'a-key-of-some-length' }],
    ['list', { TOKEN: 'another-long-token', API_KEY: 'a-second-key-here' }],
  ])
  const asked = (
    oracle: string | undefined,
    headers: [string, string][],
    reply = '{}',
  ): Exchange => ({
    ...(oracle === undefined ? {} : { oracle }),
    request: get('http://a.example/', headers),
    answer: ok(reply),
  })

  test('by the names that their oracle has for them', () => {
    const recording = recordingOf([
      asked(
        'feed',
        [['authorization', 'Bearer a-key-of-some-length']],
        'your key: a-key-of-some-length',
      ),
      asked('list', [['x-api-key', 'a-second-key-here']], 'not a-key-of-some-length'),
    ])
    const text = formatRecording(withoutSecrets(recording, both))
    expect(text).toContain('Bearer ${secret:API_KEY}')
    expect(text).toContain('not ${secret:feed%2FAPI_KEY}')
    for (const secret of ['a-key-of', 'another-long', 'a-second-key'])
      expect(text).not.toContain(secret)
    expect(throughFile(recording, both)).toEqual(recording)
  })

  test.each([
    ['authorization', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.Zm9vYmFyYmF6'],
    ['cookie', 'sid=8f14e45fceea167a5a36dedd4bea2543'],
    ['X-Api-Key', 'sk_live_51HqLyjWDarjtT1zdp7dc'],
    ['x-goog-signature', 'b1946ac92492d2347c6235b4d2611184'],
  ])('what looks like a key of somebody is refused: %s', (name, value) => {
    const refused = () => withoutSecrets(recordingOf([asked(undefined, [[name, value]])]), secrets)
    expect(refused).toThrow(
      `the recording would hold what looks like a key: the header ${name.toLowerCase()}`,
    )
    expect(refused).not.toThrow(value)
    const kept = withoutSecrets(
      recordingOf([asked(undefined, [[name, value]])], [name.toLowerCase()]),
      secrets,
    )
    expect(formatRecording(kept)).not.toContain(value.slice(-12))
  })

  test('in a response and in a URL too', () => {
    const cookie: Exchange = {
      request: get('http://a.example/'),
      answer: {
        kind: 'response',
        response: {
          status: 200,
          headers: [['set-cookie', '__cf=8f14e45fceea167a5a36dedd4bea2543; Path=/']],
          body: bytes(''),
        },
      },
    }
    expect(() => withoutSecrets(recordingOf([cookie]), secrets)).toThrow('the header set-cookie')
    const url = 'http://a.example/?page=2&api_key=8f14e45fceea167a5a36dedd4bea2543'
    const inUrl = recordingOf([{ request: get(url), answer: ok('') }])
    expect(() => withoutSecrets(inUrl, secrets)).toThrow('the parameter api_key of a URL')
  })

  test.each([
    ['authorization', 'Bearer a-key-of-some-length'],
    ['accept', 'application/vnd.example.v3+json; charset=utf-8'],
    ['x-api-key', 'public'],
    ['cookie', 'theme=dark'],
  ])('other values are not: %s: %s', (name, value) => {
    expect(() =>
      withoutSecrets(recordingOf([asked(undefined, [[name, value]])]), secrets),
    ).not.toThrow()
  })

  test('a token that came in one answer and goes out in the next request is in neither', async () => {
    const token = '8f14e45fceea167a5a36dedd4bea2543'
    const login: Exchange = {
      request: get('http://a.example/login'),
      answer: ok(`{"token":"${token}"}`),
    }
    const use = asked(undefined, [['authorization', `Bearer ${token}`]], '{"price":1}')
    const kept = withoutSecrets(recordingOf([login, use], ['authorization']), secrets)
    const text = formatRecording(kept)
    expect(text).not.toContain(token)
    const fetch = replayOf(withSecrets(parseRecording(text, 'file'), secrets)).fetchFor(
      undefined,
      limits,
    )
    const first = await fetch(login.request, never)
    const { token: replayed } = JSON.parse(Buffer.from(first.body).toString()) as { token: string }
    const next = get('http://a.example/', [['authorization', `Bearer ${replayed}`]])
    expect(await outcomeOf(fetch, next)).toEqual(use.answer)
  })

  test('one inside of a body that is no text is refused', () => {
    const body = Uint8Array.from([0xff, ...bytes('a-key-of-some-length')])
    const recording = recordingOf([
      {
        request: get('http://a.example/'),
        answer: { kind: 'response', response: { status: 200, headers: [], body } },
      },
    ])
    expect(() => withoutSecrets(recording, secrets)).toThrow(
      'the recording would hold the secret API_KEY inside of a body that is no text',
    )
  })
})

describe('a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recording-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const recording = recordingOf([
    { oracle: 'feed', request: get('http://a.example/'), answer: ok('{}') },
  ])

  test('reads well', () => {
    expect(formatRecording(recording)).toMatchInlineSnapshot(`
      "format: oracle-exchanges
      version: 1
      now: 2023-11-14T22:13:20.000Z
      seed: abababababababababababababababababababababababababababababababab
      redactedHeaders: []
      exchanges:
        - oracle: feed
          request:
            method: GET
            url: http://a.example/
            headers: []
          response:
            status: 200
            headers:
              - [content-type, application/json]
            body: "{}"
      "
    `)
  })

  test('is put in place whole, and replaced only by force', async () => {
    const path = join(folder, 'exchanges.yaml')
    await writeRecording(path, recording, { force: false })
    const before = await readFile(path, 'utf8')
    const other = recordingOf([])
    await expect(writeRecording(path, other, { force: false })).rejects.toThrow('is there already')
    await expect(refuseOverwrite(path, false)).rejects.toThrow('is there already')
    expect(await readFile(path, 'utf8')).toBe(before)
    await writeRecording(path, other, { force: true })
    expect((await readRecording(path)).exchanges).toEqual([])
    expect(await readdir(folder)).toEqual(['exchanges.yaml'])
    await expect(
      writeRecording(join(folder, 'none/x.yaml'), other, { force: false }),
    ).rejects.toThrow('cannot be written')
  })

  const text = formatRecording(recording)
  test.each([
    [
      'another version',
      text.replace('version: 1', 'version: 2'),
      'has the version 2; this command reads version 1',
    ],
    ['no version', text.replace('version: 1\n', ''), 'has the version none; this command reads'],
    ['another version as text', text.replace('version: 1', 'version: "1"'), 'has the version "1"'],
    ['another format', text.replace('oracle-exchanges', 'har'), 'is no recording'],
    ['something else', '[1, 2]', 'is no recording'],
    ['nothing', '', 'is no recording'],
    ['no YAML', '{"format": ', 'cannot be read'],
    ['a member twice', `${text}version: 1\n`, 'cannot be read: Map keys must be unique'],
    ['aliases', `${text}more: [&a [1], *a]\n`, 'cannot be read: '],
    ['a member that nobody knows', `${text}more: 1\n`, 'cannot be read: more Unexpected property'],
    ['no status', text.replace('status: 200', 'state: 200'), 'exchanges.0.response'],
    [
      'two answers',
      text.replace('    response:', '    error: x\n    response:'),
      'one of response, error',
    ],
    ['a moment that is none', text.replace(/now: .*/, 'now: soon'), 'now is no moment'],
  ])('that has %s is refused', async (_, changed, message) => {
    expect(() => parseRecording(changed, 'file')).toThrow(RecordingError)
    expect(() => parseRecording(changed, 'file')).toThrow(message)
  })

  test('that is missing or too large says so', async () => {
    await expect(readRecording(join(folder, 'none.yaml'))).rejects.toThrow('cannot be read')
    await writeFile(join(folder, 'large.yaml'), Buffer.alloc(64 * 1024 * 1024 + 1))
    await expect(readRecording(join(folder, 'large.yaml'))).rejects.toThrow('is larger than')
  })
})
