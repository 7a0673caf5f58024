import type { Scalar } from '../syntax/ast.ts'
import { isNumber, type Value } from '../values/value.ts'
import { asWritten } from '../values/writtenNumber.ts'

/** The value of a literal; an integer keeps how it was written. */
export const literal = ({ value, span }: Scalar): Value =>
  isNumber(value) ? asWritten(value, span.text.replace(/^-\s+/, '-')) : value
