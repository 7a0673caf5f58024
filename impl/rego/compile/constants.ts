import type { Term } from '../syntax/ast.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import type { Value } from '../values/value.ts'

/** The value of a term that is written without variables, references, calls and comprehensions; otherwise undefined. */
export function constantOf(term: Term): Value | undefined {
  switch (term.kind) {
    case 'scalar':
      return term.value
    case 'array':
      return constantsOf(term.items)
    case 'set': {
      const items = constantsOf(term.items)
      return items && RegoSet.from(items)
    }
    case 'object': {
      const parts = constantsOf(term.entries.flat())
      return (
        parts && RegoObject.from(term.entries.map((_, i) => [parts[2 * i]!, parts[2 * i + 1]!]))
      )
    }
    default:
      return undefined
  }
}

function constantsOf(terms: readonly Term[]): Value[] | undefined {
  const values: Value[] = []
  for (const term of terms) {
    const value = constantOf(term)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}
