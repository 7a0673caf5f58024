import fc from 'fast-check'
import { decodeFunctionData, hexToString, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { methods } from '../../impl/protocol/methods.ts'
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
    const names = new Set(sampled.flatMap(({ params }) => Object.keys(params as object)))
    for (const name of ['policy_client', 'function_signature', 'identity_domain', '__proto__'])
      expect(names).toContain(name)
  })
})
