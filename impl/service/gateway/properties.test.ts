import fc from 'fast-check'
import { character } from 'polgate-lib/testing/character.ts'
import { property } from 'polgate-lib/testing/property.ts'
import { methods } from 'polgate-protocol/methods.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Body, openTestGateway, type TestGateway, validParams } from './gateway.fixture.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const legalCodes = [-32700, -32600, -32601, -32602]

function isLegal(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length > 0 && answer.every(isLegal)
  const { jsonrpc, id, result, error } = answer as Record<string, { code: number; message: string }>
  const idIsLegal = id === null || ['string', 'number'].includes(typeof id)
  const one = (result === undefined) !== (error === undefined)
  const errorIsLegal =
    error === undefined || (legalCodes.includes(error.code) && typeof error.message === 'string')
  return (jsonrpc as unknown) === '2.0' && idIsLegal && one && errorIsLegal
}

async function expectLegal(body: Body) {
  const response = await gateway.send(body)
  expect(response.status).toBe(200)
  expect(await response.json()).toSatisfy(isLegal)
}

const json = fc.jsonValue({ stringUnit: character })
const names = Object.keys(methods) as (keyof typeof validParams)[]

property([fc.oneof(json, fc.array(json, { minLength: 1, maxLength: 5 }))], { numRuns: 300 })(
  'any JSON gets a valid response',
  (value) => expectLegal(JSON.stringify(value)),
)

property([fc.uint8Array({ maxLength: 200 })], { numRuns: 300 })(
  'any bytes get a valid response',
  (bytes) => expectLegal(bytes as Uint8Array<ArrayBuffer>),
)

property([fc.constantFrom(...names), json, json], { numRuns: 500 })(
  'any parameters of any method get a valid response',
  (name, params, id) =>
    expectLegal(JSON.stringify({ jsonrpc: '2.0', method: `svc_${name}`, params, id })),
)

/** Valid parameters with one value replaced. */
const mutated = fc
  .tuple(fc.constantFrom(...names), fc.nat(), fc.oneof(json, fc.string(), fc.constant(undefined)))
  .map(([name, pick, value]) => {
    const params = structuredClone(validParams[name]) as Record<string, unknown>
    const places: [Record<string, unknown>, string][] = []
    const visit = (object: Record<string, unknown>) => {
      for (const member of Object.keys(object)) {
        places.push([object, member])
        const inner = object[member]
        if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>)
      }
    }
    visit(params)
    const place = places[pick % Math.max(1, places.length)]
    if (place !== undefined) place[0][place[1]] = value
    return { name, params }
  })

property([mutated], { numRuns: 500 })(
  'valid parameters with one member replaced get a valid response',
  ({ name, params }) =>
    expectLegal(JSON.stringify({ jsonrpc: '2.0', method: `svc_${name}`, params, id: 'x' })),
)
