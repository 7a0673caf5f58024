import { RegoSet } from '../values/set.ts'
import { isArray, isSet, typeName, type Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { asSet, wrongType } from './operands.ts'
import { difference } from './sets.ts'
import { ANY, ANY_ARRAY, ANY_OBJECT, ANY_SET, BOOLEAN, NULL, STRING, type Type } from './types.ts'

/** A cast that accepts values of one type. */
const cast = (type: string, result: Type): Builtin => ({
  name: `cast_${type}`,
  args: [ANY],
  result,
  deprecated: true,
  call: (_, a: Value) => {
    if (typeName(a) !== type) throw wrongType(1, a, type)
    return a
  },
})

/** Built-ins of Rego v0 that v1 policies may not call; the error names them. */
export const deprecatedBuiltins: readonly Builtin[] = [
  {
    name: 'set_diff',
    args: [ANY_SET, ANY_SET],
    result: ANY_SET,
    deprecated: true,
    call: (_, a: Value, b: Value) => difference(asSet(a, 1), asSet(b, 2)),
  },
  cast('string', STRING),
  cast('boolean', BOOLEAN),
  cast('null', NULL),
  cast('object', ANY_OBJECT),
  {
    ...cast('array', ANY_ARRAY),
    call: (_, a: Value) => {
      if (isArray(a)) return a
      if (!isSet(a)) throw wrongType(1, a, 'array', 'set')
      return a.values()
    },
  },
  {
    ...cast('set', ANY_SET),
    call: (_, a: Value) => {
      if (isSet(a)) return a
      if (!isArray(a)) throw wrongType(1, a, 'array', 'set')
      return RegoSet.from(a)
    },
  },
]
