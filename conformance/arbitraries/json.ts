import fc from 'fast-check'
import { codePoint } from './codePoint.ts'

/** Names that break objects used as maps. */
const trappedNames = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '')

/** Any JSON value: depth, width and names that servers may mishandle, of reasonable size. */
export const anyJson = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 4, stringUnit: codePoint }) },
    { weight: 2, arbitrary: fc.dictionary(trappedNames, fc.jsonValue({ maxDepth: 2 })) },
    { weight: 1, arbitrary: nested() },
  )

/** Nested arrays, deeper than a recursive parser may handle. */
const nested = (): fc.Arbitrary<unknown> =>
  fc.integer({ min: 1, max: 400 }).map((depth) => {
    let value: unknown = 0
    for (let i = 0; i < depth; i++) value = [value]
    return value
  })
