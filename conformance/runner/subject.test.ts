import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { execute } from './execute.fixture.ts'

describe('a result shows the request that a failure is about', () => {
  const names = (t: CheckContext) => (name: string) => t.gateway.call(name, {}, { id: name })
  const curlOfFailure = async (run: Check['run'], more: Partial<Check> = {}) => {
    const outcome = await execute({ run, ...more })
    expect(outcome.verdict).toBe('failed')
    const subjects = outcome.evidence.flatMap((each) =>
      each.subject && each.kind === 'exchange' ? [each.request.body] : [],
    )
    return { curl: outcome.curl, subjects }
  }

  test('and not the valid twin, in whatever order they are sent', async () => {
    const { curl, subjects } = await curlOfFailure(
      async (t) => {
        const refused = await names(t)('theRefused')
        await t.twin(() => names(t)('theTwin'))
        await t.cleanup(() => names(t)('theCleanup'))
        expectEqual(refused.status, 400, 'the HTTP status')
      },
      { twin: 'the valid one' },
    )
    expect(curl).toContain('theRefused')
    expect(subjects).toEqual([expect.stringContaining('theRefused')])
  })

  test('but the twin where that was refused', async () => {
    const { curl } = await curlOfFailure(
      async (t) => {
        await names(t)('theRefused')
        await t.twin(async () => expectEqual((await names(t)('theTwin')).status, 201, 'it'))
      },
      { twin: 'the valid one' },
    )
    expect(curl).toContain('theTwin')
  })

  test('and not a later one whose answer was not judged', async () => {
    const { curl } = await curlOfFailure(async (t) => {
      const all = await Promise.all(['first', 'second', 'third'].map(names(t)))
      expectEqual(all[1]!.json, 1, 'the second')
    })
    expect(curl).toContain('second')
  })

  test('and that of the smallest failing case of a property', async () => {
    const { curl } = await curlOfFailure((t) =>
      checkProperty(t, 'small', fc.nat(1_000), { runs: 20 }, async (value) => {
        const answer = await t.gateway.call('m', { value }, { id: 'x' })
        expectEqual(answer.status === 200 && value < 7, true, 'it')
      }),
    )
    expect(curl).toContain('"params":{"value":7}')
  })

  test('also where it got no answer', async () => {
    let asked = 0
    const outcome = await execute(
      {
        run: async (t) => {
          await names(t)('answered')
          await names(t)('lost')
        },
      },
      {
        fetch: (async () => {
          if (++asked !== 2) return new Response('{}')
          const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
          throw new TypeError('fetch failed', { cause })
        }) as typeof fetch,
      },
    )
    // The gateway answers the next request: this is a fault of its own, not an outage.
    expect([outcome.verdict, outcome.outage]).toEqual(['failed', undefined])
    expect(outcome.curl).toContain('svc_lost')
    expect(outcome.reason).toBe(
      'no answer to svc_lost (POST http://gateway.invalid/rpc): the connection was closed before the answer was complete (UND_ERR_SOCKET). Check that it still runs and accepts connections; its log has the reason.',
    )
    expect(outcome.evidence.at(-1)).toMatchObject({ kind: 'unanswered', subject: true })
  })
})
