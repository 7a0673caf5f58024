import { methods } from 'polgate-protocol/methods.ts'
import { describe, expect, test } from 'vitest'
import { matrix } from '../kit/matrix/matrix.ts'
import { nameOf, parameters } from '../kit/matrix/parameters.ts'
import { execute } from '../runner/execute.fixture.ts'
import { parameterMatrix } from './4-parameter-matrix.ts'

const check = parameterMatrix.find(({ id }) => id === 'rpc.matrix.simulatePolicy.intent.value')!

/** A gateway that refuses values of the intent unless `accepts` them. */
function gateway(accepts: (value: unknown) => boolean): typeof fetch {
  const fake = async (_url: string, init: { body: string }) => {
    const { id, params } = JSON.parse(init.body) as {
      id: string
      params: { intent?: { value?: unknown } }
    }
    const valid = /^0x(0|[1-9a-f][0-9a-f]*)$/i.test(String(params.intent?.value))
    const answer =
      (valid && typeof params.intent?.value === 'string') || accepts(params.intent?.value)
        ? { result: { success: true, evaluation_result: { result: true } } }
        : { error: { code: -32602, message: 'Invalid request format: intent.value' } }
    return Response.json({ jsonrpc: '2.0', id, ...answer })
  }
  return fake as unknown as typeof fetch
}

describe('the check of a parameter', () => {
  test('exists for every parameter of the schemas', () => {
    expect(parameterMatrix.map(({ id }) => id)).toEqual(
      parameters.map(
        (parameter) => `rpc.matrix.${nameOf(parameter).replaceAll('[]', '').replaceAll('_', '-')}`,
      ),
    )
    expect(parameterMatrix.every(({ id }) => Object.hasOwn(methods, id.split('.')[2]!))).toBe(true)
  })

  test('passes on a gateway that refuses, and says how many of the cases it tried', async () => {
    const cases = matrix.filter(
      ({ parameter }) => nameOf(parameter) === 'simulatePolicy.intent.value',
    )
    const strict = gateway(() => false)
    expect(await execute(check, { fetch: strict })).toMatchObject({
      verdict: 'passed',
      matrix: { tried: cases.filter(({ sampled }) => sampled).length, of: cases.length },
    })
    expect(await execute(check, { fetch: strict, fullMatrix: true })).toMatchObject({
      verdict: 'passed',
      matrix: { tried: cases.length, of: cases.length },
      exchanges: cases.length + 1,
    })
  })

  test.each([
    ['0x01', 'a leading zero', '2.1-02'],
    ['0x', 'no digits', '2.1-03'],
    [7, 'a number', '2.1-16'],
    [null, 'null', '2.2-03'],
  ])('that accepts %j fails, and names the rule', async (value, fault, clause) => {
    const lenient = gateway((sent) => sent === value)
    const result = await execute(check, { fetch: lenient, fullMatrix: true })
    expect(result).toMatchObject({ verdict: 'failed' })
    expect(result.reason).toBe(
      `intent.value with ${fault} (${JSON.stringify(value)}; clause ${clause}): the call was not refused`,
    )
    // The request that was accepted, not the last one.
    expect(result.curl).toContain(`"value":${JSON.stringify(value)}`)
  })
})
