import fc from 'fast-check'
import { methods } from 'polgate-protocol/methods.ts'
import { anyJson } from './json.ts'
import { looseValue } from './looseValue.ts'

const methodNames = Object.keys(methods)

/** Names of all members of a schema, including nested ones. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = 'properties' in schema ? Object.keys(schema.properties as object) : []
  return [...properties, ...Object.values(schema).flatMap(namesIn)]
}

const memberNames = [
  ...new Set(Object.values(methods).flatMap(({ params }) => namesIn(params))),
  '__proto__',
]

export type AnyRequest = { jsonrpc: '2.0'; method: string; params: unknown; id: string }

/** A request to any method of the table, with mostly invalid params: known names, wrong values. */
export const anyRequestBody = (methodPrefix: string): fc.Arbitrary<AnyRequest> =>
  fc.record({
    jsonrpc: fc.constant('2.0' as const),
    method: fc.constantFrom(...methodNames).map((name) => `${methodPrefix}${name}`),
    params: fc.oneof(
      { weight: 3, arbitrary: fc.dictionary(fc.constantFrom(...memberNames), looseValue()) },
      { weight: 1, arbitrary: fc.array(anyJson(), { maxLength: 4 }) },
      // Undefined omits them.
      { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
    ),
    id: fc.uuid(),
  })
