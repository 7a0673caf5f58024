import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { PolicyEvaluation } from './policyEvaluator.ts'
import { createRegoEvaluator } from './regoEvaluator.ts'

const evaluator = createRegoEvaluator({
  brand: defaultBrand,
  workMs: 500,
  graceMs: 1_000,
  threads: 1,
})
afterAll(() => evaluator.close())
const never = new AbortController().signal

const hostileParams = JSON.stringify({ a: `${'a'.repeat(60)}!` })

const evaluate = (source: string, more: Partial<PolicyEvaluation> = {}, signal = never) =>
  evaluator.evaluate(
    {
      source: `package policy\n\n${source}\n`,
      entrypoint: 'policy.allow',
      input: '{}',
      params: '{}',
      paramsSchema: null,
      data: [],
      now: 1_700_000_000_000,
      ...more,
    },
    signal,
  )

describe('an evaluation', () => {
  it('receives input, params and merged data, with the last of duplicate members (decision R5)', async () => {
    const { result, wasm } = await evaluate('allow := [input.a, data.params.b, data.wasm]', {
      input: '{"a":1}',
      params: '{"b":2}',
      data: ['{"x":1,"y":{"deep":1}}', '{"y":{"other":2}}'],
    })
    expect(JSON.parse(result)).toEqual([1, 2, { x: 1, y: { other: 2 } }])
    expect(JSON.parse(wasm)).toEqual({ x: 1, y: { other: 2 } })
  })

  it('preserves every digit', async () => {
    const value = 2n ** 256n - 1n
    const { result } = await evaluate('allow := input.value - data.params.one', {
      input: `{"value":${value}}`,
      params: '{"one":1}',
    })
    expect(result).toBe(String(value - 1n))
  })

  it('returns the strings of deny, sorted', async () => {
    const { result, reasons } = await evaluate(
      'default allow := false\n\ndeny contains "b"\n\ndeny contains "a"\n\ndeny contains 7',
    )
    expect({ result, reasons }).toEqual({ result: 'false', reasons: ['a', 'b'] })
  })

  it('has fixed time and randomness (decision R12)', async () => {
    const source = 'allow := [time.now_ns(), rand.intn("x", 1000000), uuid.rfc4122("k")]'
    const first = await evaluate(source)
    expect(first.result).toBe((await evaluate(source)).result)
    expect(JSON.parse(first.result)[0]).toBe(1_700_000_000_000_000_000)
  })

  it('has the built-ins of the service profile (decision R11)', async () => {
    await expect(evaluate('allow := json.patch({}, [])')).rejects.toThrow('json.patch')
    expect((await evaluate('allow := json.filter({"a": 1}, ["a"])')).result).toBe('{"a":1}')
  })

  it('has the extensions, and no network access', async () => {
    await expect(
      evaluate('allow := service.crypto.ecdsa_recover_signer("0x", "0x")'),
    ).rejects.toThrow('signature must be 65 bytes, got 0')
    const request = '{"method": "get", "url": "http://127.0.0.1"}'
    await expect(
      evaluate(
        `allow := count(deny) == 0\ndeny contains "down" if http.send(${request}).status_code != 200`,
      ),
    ).rejects.toThrow(
      'Rego evaluation failed: policy.rego:4: eval_builtin_error: http.send: there is no network access',
    )
  })
})

describe('failures', () => {
  it.each([
    [
      'a policy that does not parse',
      'allow if {',
      {},
      /^Rego evaluation failed: .*rego_parse_error/,
    ],
    ['a missing rule', 'x := 1', {}, /^Rego evaluation failed: undefined rule 'policy.allow'$/],
    ['a rule without a value', 'allow if input.x', {}, /^Rego evaluation failed: undefined rule/],
    [
      'a wrong type (decision R10)',
      'allow := upper(input.a)',
      { input: '{"a":1}' },
      /^Rego evaluation failed: .*upper/,
    ],
    ['params that are not JSON', 'allow := true', { params: '{' }, /: policy params are not JSON$/],
    [
      'params that do not match',
      'allow := true',
      { params: '{"max":"much"}', paramsSchema: '{"properties":{"max":{"type":"number"}}}' },
      /: policy params do not match their schema: max must be number$/,
    ],
    [
      'data that is not an object',
      'allow := true',
      { data: ['[]'] },
      /policy data is not a JSON object/,
    ],
  ])('reports %s', async (_, source, more, message) => {
    await expect(evaluate(source, more)).rejects.toMatchObject({
      code: -32615,
      message: expect.stringMatching(message),
    })
  })

  it('ends an evaluation at its limit, and continues with the next', async () => {
    const source =
      'allow if {\n\tsome a in numbers.range(1, 20000)\n\tsome b in numbers.range(1, 20000)\n\ta + b < 0\n}'
    const begin = performance.now()
    await expect(evaluate(source)).rejects.toMatchObject({ code: -32615 })
    expect(performance.now() - begin).toBeLessThan(6_000)
    expect((await evaluate('allow := true')).result).toBe('true')
  })

  it('ends a thread that cannot stop itself', async () => {
    const paramsSchema = '{"properties":{"a":{"pattern":"^(a+)+$"}}}'
    const params = JSON.stringify({ a: `${'a'.repeat(60)}!` })
    await expect(evaluate('allow := true', { params, paramsSchema })).rejects.toThrow(
      'took too long',
    )
    expect((await evaluate('allow := true')).result).toBe('true')
  })

  it('alternates between owners, whatever they evaluate', async () => {
    const worst = [
      { paramsSchema: '{"$async":true}' },
      { paramsSchema: '{"$ref":"#"}' },
      { paramsSchema: '{"properties":{"a":{"pattern":"^(a+)+$"}}}', params: hostileParams },
      { params: '{' },
    ]
    const order: string[] = []
    const all = worst.flatMap((more, n) => [
      evaluate('allow := true', { ...more, owner: 'a' }).then(
        () => 'allowed',
        () => void order.push(`a${n}`),
      ),
      ...(n > 1 ? [] : [evaluate(`allow := ${n}`, { owner: 'b' }).then(() => order.push(`b${n}`))]),
    ])
    expect(await Promise.all(all)).not.toContain('allowed')
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'a3'])
  })

  it('does not block an aborted caller', async () => {
    const caller = new AbortController()
    const busy = evaluate('allow := count(numbers.range(1, 200000))')
    const given = evaluate('allow := true', {}, caller.signal)
    caller.abort(new Error('aborted'))
    await expect(given).rejects.toThrow('aborted')
    await busy
  })
})

describe('private data', () => {
  const opened = (bid: unknown) =>
    new TextEncoder().encode(JSON.stringify({ identity: null, confidential: {}, privacy: { bid } }))

  it('is read in the thread, from a copy: each evaluation has its own', async () => {
    const given = [opened(1), opened(2), opened(1)]
    const before = given.map((bytes) => [...bytes])
    const answers = given.map((privateData) =>
      evaluate('allow := data.privacy.bid', { privateData }),
    )
    expect((await Promise.all(answers)).map(({ result }) => result)).toEqual(['1', '2', '1'])
    expect(given.map((bytes) => [...bytes])).toEqual(before)
  })

  it('may be wiped by the caller at once', async () => {
    const privateData = opened(3)
    const answer = evaluate('allow := data.privacy.bid', { privateData })
    privateData.fill(0)
    expect((await answer).result).toBe('3')
  })

  it('is wiped where the evaluator copied it, also if the evaluation fails', async () => {
    const fill = vi.spyOn(Uint8Array.prototype, 'fill')
    try {
      for (const [source, bid] of [
        ['allow := true', 'a'.repeat(977)],
        ['allow := to_number(data.privacy.bid)', 'b'.repeat(983)],
      ] as const) {
        const privateData = opened(bid)
        await evaluate(source, { privateData }).catch(() => {})
        const filled = fill.mock.contexts as readonly Uint8Array[]
        const copies = filled.filter(({ length }) => length === privateData.length)
        expect(copies).toEqual([new Uint8Array(privateData.length)])
        expect(copies[0]).not.toBe(privateData)
      }
    } finally {
      fill.mockRestore()
    }
  })

  it('is in no error', async () => {
    const bid = 'secret74219'
    const failed = evaluate('allow := to_number(data.privacy.bid)', { privateData: opened(bid) })
    await expect(failed).rejects.toMatchObject({
      code: -32615,
      message:
        'Rego evaluation failed: policy.rego:3: eval_builtin_error: a built-in function failed (details are hidden: private data)',
    })
  })

  it('of a policy is known before it is evaluated', async () => {
    const uses = (source: string) => evaluator.privateUses({ source }, never)
    const source = 'package policy\n\nallow if service.identity.age_gte(data.privacy.years)'
    const found = { identity: true, confidential: [], privacy: true }
    expect(await Promise.all([uses(source), uses(source)])).toEqual([found, found])
    expect(await uses(source)).toEqual(found)
    const none = { identity: false, confidential: [], privacy: false }
    expect(await uses('package policy\n\nallow if {')).toEqual(none)
  })
})

it('keeps a waiting process alive, even before the thread has started', async () => {
  const evaluation = {
    source: 'package policy\n\nallow := true\n',
    ...{
      entrypoint: 'policy.allow',
      input: '{}',
      params: '{}',
      paramsSchema: null,
      data: [],
      now: 1,
    },
  }
  // A process with no other pending work would exit with code 13.
  const script = `import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'
    const { createRegoEvaluator } = await importCompiled('impl/service/operators/regoEvaluator.ts')
    const evaluator = createRegoEvaluator({ brand: { regoNamespace: 'service' }, threads: 1 })
    const { signal } = new AbortController()
    const { result } = await evaluator.evaluate(${JSON.stringify(evaluation)}, signal)
    process.stdout.write(result)`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('true')
})
