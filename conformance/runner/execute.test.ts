import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import { describe, expect, test } from 'vitest'
import { canaryOf } from '../core/canary.ts'
import { Untestable } from '../core/conformanceError.ts'
import { expectEqual } from '../core/expect.ts'
import { derivedSeed, parseSeed } from '../core/seed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { answering, execute } from './execute.fixture.ts'

describe('executing a check', () => {
  test('that ends is passed', async () => {
    expect((await execute({})).verdict).toBe('passed')
  })

  test('that finds a fault reports it, and how to reproduce it', async () => {
    const outcome = await execute({
      run: async (t) => {
        const answer = await t.gateway.call('createTask', { a: "it's" }, { id: 'one' })
        expectEqual(answer.status, 201, 'the HTTP status')
      },
    })
    expect(outcome).toMatchObject({
      verdict: 'failed',
      reason: 'the HTTP status is wrong',
      expected: '201',
      observed: '200',
      exchanges: 1,
    })
    expect(outcome.curl).toBe(
      `curl -s 'http://gateway.invalid/rpc' -H 'content-type: application/json' -H "authorization: Bearer $SVC_KEY_READ" --data-binary '{"jsonrpc":"2.0","method":"svc_createTask","params":{"a":"it'\\''s"},"id":"one"}'`,
    )
  })

  test.each([
    { profiles: ['tasks'] as const, verdict: 'passed' },
    { profiles: ['base'] as const, verdict: 'failed' },
  ])('that calls createTask and is of $profiles is $verdict', async ({ profiles, verdict }) => {
    const outcome = await execute({
      profiles,
      run: async (t) => void (await t.gateway.call('createTask', {})),
    })
    expect(outcome.verdict).toBe(verdict)
    if (verdict === 'failed')
      expect(outcome.reason).toContain('calls a method of tasks, which is not one of its profiles')
  })

  test('marks what its twin and its cleanup sent; a failure never shows the latter', async () => {
    const outcome = await execute({
      twin: 'the valid one',
      run: async (t) => {
        const call = (method: string) => t.gateway.call(method, {}, { id: method })
        await t.twin(async () => {
          await call('registerWebhook')
          await t.cleanup(() => call('unregisterWebhook'))
        })
        try {
          await call('createTask')
          expectEqual(1, 2, 'the result')
        } finally {
          // Beside the main part: the phase follows the call, not the clock.
          await Promise.all([t.cleanup(() => call('unregisterWebhook')), call('sendTask')])
        }
      },
    })
    const seen = outcome.evidence.flatMap((each) =>
      each.kind === 'exchange' ? [[JSON.parse(each.request.body).id, each.phase]] : [],
    )
    expect(seen).toEqual(
      expect.arrayContaining([
        ['registerWebhook', 'twin'],
        ['unregisterWebhook', 'cleanup'],
        ['createTask', undefined],
        ['unregisterWebhook', 'cleanup'],
        ['sendTask', undefined],
      ]),
    )
    expect(seen).toHaveLength(5)
    expect(outcome.curl).toContain('sendTask')
  })

  test('whose requirement is missing is untestable, or not applicable if the target waives it', async () => {
    const missing = { chain: 'the target has no RPC URL of its chain' }
    const untestable = await execute({ needs: ['chain'] }, { missing })
    expect(untestable.verdict).toBe('untestable')
    expect(untestable.reason).toBe('needs chain: the target has no RPC URL of its chain')
    const target = {
      ...overclaimingTarget('http://x.invalid'),
      notApplicable: { chain: 'no chain here' },
    }
    const waived = await execute({ needs: ['chain'] }, { missing, target })
    expect([waived.verdict, waived.reason]).toEqual(['not-applicable', 'no chain here'])
  })

  test('that finds out later that it cannot run is untestable', async () => {
    const outcome = await execute({
      run: async () => {
        throw new Untestable('too quick to overlap')
      },
    })
    expect([outcome.verdict, outcome.reason]).toEqual(['untestable', 'too quick to overlap'])
  })

  test('that forgets its twin fails, and one whose twin is refused reports that', async () => {
    const forgotten = await execute({ twin: 'the valid one' })
    expect(forgotten.verdict).toBe('failed')
    expect(forgotten.reason).toContain('did not run its twin')
    const refused = await execute({
      twin: 'the valid one',
      run: (t) => t.twin(async () => expectEqual(1, 2, 'the valid one')),
    })
    expect(refused.twin).toEqual({ name: 'the valid one', accepted: false })
    expect(refused.verdict).toBe('failed')
  })

  test('that throws any other error is a failure too', async () => {
    const outcome = await execute({
      run: async () => {
        throw new TypeError('x.y is not a function')
      },
    })
    expect([outcome.verdict, outcome.reason]).toEqual([
      'failed',
      expect.stringMatching(
        /^the check ended with an error .*\(TypeError: x\.y is not a function\)/,
      ),
    ])
  })

  test('records each block that it sees once', async () => {
    const heads = [7, 7, 9]
    const node = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${heads.shift()}` }))
    })
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    try {
      const boastful = overclaimingTarget('http://x.invalid')
      const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
      const outcome = await execute(
        {
          run: async (t) => {
            for (let i = 0; i < 3; i++) await t.chain().getBlockNumber({ cacheTime: 0 })
          },
        },
        { target: { ...boastful, chain: { ...boastful.chain!, rpcUrl } } },
      )
      expect(outcome.evidence).toMatchObject([
        { kind: 'block', number: 7 },
        { kind: 'block', number: 9 },
      ])
    } finally {
      node.closeAllConnections()
      node.close()
    }
  })

  test('counts refused keys', async () => {
    const outcome = await execute(
      { run: async (t) => void (await t.gateway.call('x', {})) },
      { fetch: answering({}, 401) },
    )
    expect([outcome.exchanges, outcome.refusals]).toEqual([1, 1])
  })

  test('detects a secret in a response that the caller did not send', async () => {
    const leaks = async (body: unknown, sent: string) => {
      let seen: readonly string[] = []
      await execute(
        {
          run: async (t) => {
            await t.gateway.send({ body: sent, key: 'read' })
            seen = t.leaks()
          },
        },
        { fetch: answering(body) },
      )
      return seen
    }
    expect(await leaks({ text: 'key-read-of-nobody' }, '{"method":"svc_x"}')).toEqual([
      'SVC_KEY_READ in the answer to svc_x, $.text',
    ])
    expect(await leaks({ text: 'key-read-of-nobody' }, '"key-read-of-nobody"')).toEqual([])
    expect(await leaks({ text: 'nothing' }, '{}')).toEqual([])
  })
})

describe('seeds', () => {
  const seen = async (seed: string) => {
    const values: number[] = []
    const outcome = await execute(
      {
        run: (t) =>
          checkProperty(t, 'numbers', fc.integer(), { runs: 30 }, async (value) => {
            values.push(value)
            expectEqual(value > 1000, false, 'a number')
          }),
      },
      { seed },
    )
    return { values, outcome }
  }

  test('the same seed gives the same values and the same counterexample', async () => {
    const [first, second] = [await seen('0x0000002a'), await seen('0x0000002a')]
    expect(first.values).toEqual(second.values)
    expect(first.outcome.verdict).toBe('failed')
    expect(first.outcome.counterexample).toBe(second.outcome.counterexample)
    expect(first.outcome.counterexample).toMatch(/^1001 \(after \d+ runs, path /)
  })

  test('another seed gives other values', async () => {
    expect((await seen('0x00000001')).values).not.toEqual((await seen('0x00000002')).values)
  })

  test('each use in a check has a separate seed, independent of other checks', () => {
    expect(derivedSeed('0x1', 'a', 'x')).toBe(derivedSeed('0x1', 'a', 'x'))
    expect(derivedSeed('0x1', 'a', 'x')).not.toBe(derivedSeed('0x1', 'b', 'x'))
  })

  test('are parsed as they are printed', () => {
    expect(parseSeed('0x5eed42')).toBe('0x005eed42')
    expect(parseSeed('7')).toBe('0x00000007')
    expect(() => parseSeed('five')).toThrow('not a 32-bit number')
    expect(() => parseSeed('0x1ffffffff')).toThrow('not a 32-bit number')
  })
})

describe('what a check reports', () => {
  const made = 'svc_a-key-that-a-check-made-0123456789'
  const failing = (body: unknown) =>
    execute(
      {
        run: async (t) => {
          t.guard('SVC_KEY_OWN', made)
          const key = { value: made, name: 'SVC_KEY_OWN' }
          const answer = await t.gateway.call('createTask', { a: 1 }, { key })
          t.saw({ kind: 'frame', from: 'suite', text: `{"key":"${made}"}` })
          t.observe(`it says ${answer.exchange.body}`)
          expectEqual(answer.exchange.body, 'nothing', 'the body')
        },
      },
      { fetch: answering(body) },
    )

  test('contains no key that it created, complete or cut, on any surface', async () => {
    for (const before of [0, 370, 380, 390, 3_980]) {
      const { evidence, observed, observations } = await failing(`${'x'.repeat(before)}${made}`)
      const told = JSON.stringify({ evidence, observed, observations })
      expect(told).toContain('$SVC_KEY_OWN')
      expect(told).not.toContain(made.slice(0, 8))
    }
  })

  test('contains no secret that a gateway leaked', async () => {
    const seed = '0x00000007'
    const secret = canaryOf(seed, 'rpc.example', 'token')
    const outcome = await execute(
      {
        run: async (t) => {
          t.guard('UPLOADED_SECRET', t.canary('token'))
          await t.gateway.call('createTask', { a: 1 })
        },
      },
      { seed, fetch: answering({ error: `cannot read ${secret}` }) },
    )
    expect(JSON.stringify(outcome)).toContain('cannot read $UPLOADED_SECRET')
    expect(JSON.stringify(outcome)).not.toContain(secret)
  })

  test('no value that an answer may contain by chance is guarded, or replaced in evidence', async () => {
    const outcome = await execute({ run: async (t) => t.guard('UPLOADED_SECRET', 'argument') })
    expect([outcome.verdict, outcome.reason]).toEqual([
      'failed',
      expect.stringContaining('may contain its value by chance'),
    ])
  })

  test('is bounded in length, whatever the gateway sends', async () => {
    const long = 'a'.repeat(2_000_000)
    const outcome = await execute({
      run: async (t) => {
        for (let i = 0; i < 1_000; i++) t.observe(i === 0 ? long : 'b')
        throw new Error(long)
      },
    })
    expect(outcome.reason?.length).toBeLessThan(21_000)
    expect(outcome.observations).toHaveLength(200)
    expect(JSON.stringify(outcome).length).toBeLessThan(60_000)
  })
})
