import fc from 'fast-check'
import { decodeFunctionData, hexToString, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { methods } from '../../impl/protocol/methods.ts'
import { anyHeaderValue, anyIdLike, anyQuery, isWholeId } from './explorerRequest.ts'
import { anyAddress, anyIntent, anyValue } from './intent.ts'
import { anyJson } from './json.ts'
import { operatorSubset } from './operatorSubset.ts'
import { anyRequestBody } from './requestBody.ts'

const all: Record<string, fc.Arbitrary<unknown>> = {
  anyJson: anyJson(),
  anyRequestBody: anyRequestBody('svc_'),
  anyAddress: anyAddress(),
  anyValue: anyValue(),
  anyIntent: anyIntent(31337),
  operatorSubset: operatorSubset(4),
  anyIdLike: anyIdLike(32),
  anyQuery: anyQuery(['page', 'task_window_start']),
  anyHeaderValue: anyHeaderValue(),
}

describe.each(Object.entries(all))('laws of %s', (_, arbitrary) => {
  test('the same seed gives the same values', () => {
    const sample = () => fc.sample(arbitrary, { seed: 7, numRuns: 30 })
    expect(sample()).toEqual(sample())
  })

  test('another seed gives other values', () => {
    const sample = (seed: number) => JSON.stringify(fc.sample(arbitrary, { seed, numRuns: 30 }))
    expect(sample(7)).not.toEqual(sample(8))
  })

  test('values survive JSON', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(JSON.stringify(JSON.parse(JSON.stringify(value)))).toBe(JSON.stringify(value))
      }),
      { seed: 7 },
    )
  })

  test('shrinking ends', () => {
    let steps = 0
    const details = fc.check(
      fc.property(arbitrary, () => {
        steps++
        return false
      }),
      { seed: 7 },
    )
    expect(details.failed).toBe(true)
    expect(steps).toBeLessThan(5000)
  })
})

describe('intents', () => {
  test('addresses are 20 bytes and quantities compact', () => {
    fc.assert(
      fc.property(anyIntent(1), (intent) => {
        expect(intent.from).toMatch(/^0x[0-9a-f]{40}$/i)
        expect(intent.value).toMatch(/^0x(0|[1-9a-f][0-9a-f]{0,63})$/)
      }),
      { seed: 7 },
    )
  })

  test('calldata decodes with the signature that stands beside it', () => {
    const intents = fc.sample(anyIntent(1), { seed: 7, numRuns: 60 })
    const withCall = intents.filter((intent) => intent.data !== '0x')
    expect(withCall.length).toBeGreaterThan(10)
    for (const intent of withCall) {
      const signatures: readonly string[] = [`function ${hexToString(intent.function_signature)}`]
      const abi = parseAbi(signatures)
      expect(decodeFunctionData({ abi, data: intent.data }).args).toHaveLength(2)
    }
  })
})

test('subsets of operators reach both ends', () => {
  const sizes = new Set(
    fc.sample(operatorSubset(4), { seed: 7, numRuns: 200 }).map((subset) => subset.length),
  )
  expect([...sizes].sort()).toEqual([0, 1, 2, 3, 4])
})

describe('requests', () => {
  const sampled = fc.sample(anyRequestBody('svc_'), { seed: 7, numRuns: 2000 })

  test('go to every method', () => {
    const called = new Set(sampled.map(({ method }) => method))
    expect([...called].sort()).toEqual(
      Object.keys(methods)
        .map((name) => `svc_${name}`)
        .sort(),
    )
  })

  test('have members of every depth, and one that is no member', () => {
    const names = new Set(sampled.flatMap(({ params }) => Object.keys(params ?? {})))
    for (const name of ['policy_client', 'function_signature', 'identity_domain', '__proto__'])
      expect(names).toContain(name)
  })
})

describe('requests to the explorer', () => {
  test('ids are whole ones, nearly whole ones and others, and stay one step of a path', () => {
    for (const length of [20, 32] as const) {
      const ids = fc.sample(anyIdLike(length), { seed: 7, numRuns: 500 })
      const whole = ids.filter((id) => isWholeId(id, length))
      expect(whole.length).toBeGreaterThan(50)
      expect(ids.length - whole.length).toBeGreaterThan(200)
      expect(whole.some((id) => /[A-F]/.test(id)) && whole.some((id) => /[a-f]/.test(id))).toBe(
        true,
      )
      for (const id of ids) {
        const { pathname, search, hash } = new URL(`http://127.0.0.1/v1/task/${id}`)
        expect([pathname.split('/').length, search, hash]).toEqual([4, '', ''])
        expect(pathname).toMatch(/^\/v1\/task\/./)
      }
    }
  })

  test('queries name the parameters, some twice, with values that are right and wrong', () => {
    const queries = fc.sample(anyQuery(['page', 'size']), { seed: 7, numRuns: 500 })
    const values = queries.flatMap((query) => new URLSearchParams(query).getAll('page'))
    const right = values.filter((value) => /^[1-9]\d*$/.test(value))
    expect(right.length).toBeGreaterThan(20)
    expect(values.length - right.length).toBeGreaterThan(100)
    expect(queries.some((query) => new URLSearchParams(query).getAll('page').length > 1)).toBe(true)
  })

  test('values of headers can be sent', () => {
    for (const value of fc.sample(anyHeaderValue(), { seed: 7, numRuns: 500 }))
      expect(() => new Headers({ 'x-api-key': value })).not.toThrow()
  })
})
