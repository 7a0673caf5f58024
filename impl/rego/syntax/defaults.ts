import { typeName } from '../values/value.ts'
import type { Head, Term } from './ast.ts'
import { isWildcard } from './ast.ts'

type Fail = (message: string, at: number) => never

/**
 * The value of a default rule must be constant, or a comprehension; its arguments must be distinct
 * variables.
 */
export function checkDefault(head: Head, fail: Fail): void {
  const at = head.span.start
  const { value } = head
  if (value === undefined || head.assign === undefined) {
    fail('illegal default rule (must have a value)', at)
  }
  for (const part of head.ref.path) {
    if (part.kind !== 'scalar') fail('illegal default rule (reference must be ground)', at)
  }
  const seen = new Set<string>()
  for (const arg of head.args ?? []) {
    if (arg.kind !== 'var') {
      fail(
        `illegal default rule (arguments cannot contain ${arg.kind === 'scalar' ? typeName(arg.value) : arg.kind})`,
        arg.span.start,
      )
      continue
    }
    if (seen.has(arg.name) && !isWildcard(arg.name)) {
      fail(`illegal default rule (arguments cannot be repeated ${arg.name})`, arg.span.start)
    }
    seen.add(arg.name)
  }
  checkValue(value as Term, fail)
}

function checkValue(term: Term, fail: Fail): void {
  switch (term.kind) {
    case 'var':
    case 'ref':
    case 'call':
      fail(`illegal default rule (value cannot contain ${term.kind})`, term.span.start)
      break
    case 'array':
    case 'set':
      for (const item of term.items) checkValue(item, fail)
      break
    case 'object':
      for (const [key, value] of term.entries) {
        checkValue(key, fail)
        checkValue(value, fail)
      }
      break
    default:
  }
}
