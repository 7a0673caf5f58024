import { startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { describe, expect, test } from 'vitest'
import { createEgress } from '../egress.ts'
import { createHostFetch, type HostRequest } from '../hostFetch.ts'
import { HostFetchError } from '../hostFetchError.ts'
import type { Exchange } from './exchange.ts'
import { createRecorder } from './recorder.ts'
import {
  bytes,
  get,
  limits,
  never,
  ok,
  outcomeOf,
  recordingOf,
  replayOf,
} from './recording.fixture.ts'
import type { RecordingError } from './recordingError.ts'
import { createReplayer } from './replayer.ts'

describe('limits of a run apply in replay', () => {
  const same = Array.from({ length: 60 }, () => ({
    request: get('http://a.example/'),
    answer: ok('{}'),
  }))

  test('with the same messages as the host', async () => {
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

  test('requests that the host rejects', async () => {
    const fetch = replayOf(recordingOf(same)).fetchFor(undefined, limits)
    const outcome = await outcomeOf(fetch, get('http://a.example/', [['host', 'b.example']]))
    expect(outcome).toEqual({ kind: 'error', message: 'the header host is set by the host' })
  })

  test('a limit of the run is not recorded as an exchange', async () => {
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
  const mismatch = async (request: HostRequest, times = 1) => {
    const errors: RecordingError[] = []
    const replayer = replayOf(recordingOf(recorded), { onUnknown: (error) => errors.push(error) })
    const fetch = replayer.fetchFor('feed', limits)
    for (let at = 0; at < times; at++) await outcomeOf(fetch, request)
    return errors[0]?.message
  }

  test('is compared with the nearest recorded one, member by member', async () => {
    expect(
      await mismatch(get('http://a.example/p?q=2', [['x-plan', 'full']])),
    ).toMatchInlineSnapshot(`
      "exchanges.yaml has no answer to a request of feed:
        GET http://a.example/p?q=2
      The nearest of 2 is GET http://a.example/p?q=1, which differs:
        query q
          recorded 1
          sent     2
        header x-plan
          recorded basic
          sent     full"
    `)
    const post = { ...get('http://a.example/post'), method: 'POST' }
    expect(
      await mismatch({ ...post, body: bytes('{"symbol":"BTC","depth":1}') }),
    ).toMatchInlineSnapshot(`
      "exchanges.yaml has no answer to a request of feed:
        POST http://a.example/post
      The nearest of 2 is POST http://a.example/post, which differs:
        body.symbol
          recorded "ETH"
          sent     "BTC""
    `)
  })

  test('shows no known secret and no possible credential', async () => {
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
    expect(errors[0]?.message).toContain('sent     (not shown)')
    expect(errors[0]?.message).toContain('x(key)')
    expect(errors[0]?.message).not.toMatch(/8f14e|a-key/)
  })

  test('may be a repeated one', async () => {
    const [first] = recorded
    expect(await mismatch(first!.request, 2)).toContain('and sent again')
    expect(await mismatch(first!.request, 1)).toBeUndefined()
  })

  test('is not answered from another oracle', async () => {
    const replayer = replayOf(recordingOf(recorded))
    const fetch = replayer.fetchFor('other', limits)
    expect((await outcomeOf(fetch, recorded[0]!.request)).kind).toBe('error')
    expect(replayer.left()).toHaveLength(2)
  })
})
