// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are such texts
import { describe, expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import {
  bytes,
  get,
  limits,
  never,
  ok,
  outcomeOf,
  recordingOf,
  replayOf,
  secrets,
  throughFile,
} from './recording.fixture.ts'
import { formatRecording, parseRecording } from './recordingFormat.ts'
import { type SecretsByOracle, withoutSecrets, withSecrets } from './redactRecording.ts'

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

  test('under the names of their oracle', () => {
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
  ])('a possible credential is rejected: %s', (name, value) => {
    const refused = () => withoutSecrets(recordingOf([asked(undefined, [[name, value]])]), secrets)
    expect(refused).toThrow(
      `the recording would contain a possible credential: the header ${name.toLowerCase()}`,
    )
    expect(refused).not.toThrow(value)
    const kept = withoutSecrets(
      recordingOf([asked(undefined, [[name, value]])], [name.toLowerCase()]),
      secrets,
    )
    expect(formatRecording(kept)).not.toContain(value.slice(-12))
  })

  const jwt = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"sub":"1"}').toString('base64url')}.c2lnbmF0dXJl`
  const body = (text: string): Exchange => ({
    request: { ...get('http://a.example/'), method: 'POST', body: bytes(text) },
    answer: ok('{}'),
  })
  test.each<[string, Exchange, string]>([
    [
      'a token in a parameter of another name',
      { request: get(`http://a.example/?q=${jwt}`), answer: ok('{}') },
      'a JSON Web Token in the URL',
    ],
    [
      'a token in an answer',
      { request: get('http://a.example/'), answer: ok(JSON.stringify({ t: jwt })) },
      'a JSON Web Token in the body of the response',
    ],
    [
      'a header that signs',
      asked(undefined, [['x-hmac', 'b1946ac92492d2347c6235b4d2611184']]),
      'the header x-hmac',
    ],
    [
      'a user of a URL',
      { request: get('https://me:hunter2@a.example/'), answer: ok('') },
      'a password in a URL in the URL',
    ],
    [
      'a form',
      body('client_secret=8f14e45fceea167a5a36dedd4bea2543&x=1'),
      'a key named client_secret in the body',
    ],
    [
      'a key in hex in a body',
      body(JSON.stringify({ a: Buffer.from('AKIAIOSFODNN7EXAMPLE is it').toString('hex') })),
      'an access key of AWS in the body of the request',
    ],
  ])('%s is rejected with its location', (_, exchange, told) => {
    const refused = () => withoutSecrets(recordingOf([exchange]), secrets)
    expect(refused).toThrow(told)
    expect(refused).not.toThrow(/8f14e|hunter2|AKIAI|eyJ/)
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
  ])('other values are accepted: %s: %s', (name, value) => {
    expect(() =>
      withoutSecrets(recordingOf([asked(undefined, [[name, value]])]), secrets),
    ).not.toThrow()
  })

  test('a token from one response that is sent in the next request is removed from both', async () => {
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

  test('one within a body that is not UTF-8 text is rejected', () => {
    const body = Uint8Array.from([0xff, ...bytes('a-key-of-some-length')])
    const recording = recordingOf([
      {
        request: get('http://a.example/'),
        answer: { kind: 'response', response: { status: 200, headers: [], body } },
      },
    ])
    expect(() => withoutSecrets(recording, secrets)).toThrow(
      'the recording would contain the secret API_KEY within a body that is not UTF-8 text',
    )
  })
})
