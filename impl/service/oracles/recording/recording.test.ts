// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are such texts
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HostFetch, HostRequest } from '../hostFetch.ts'
import { HostFetchError } from '../hostFetchError.ts'
import type { ExchangeAnswer } from './exchange.ts'
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
  throughFile,
} from './recording.fixture.ts'
import { requestKey } from './requestKey.ts'

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

describe('a recording is replayed', () => {
  test('with any requests and answers, in any order', async () => {
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
        // Different requests may arrive in another order.
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

  test('including failures and a missing answer', async () => {
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

  test('header names and the order of headers are ignored, values are compared', async () => {
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
