import { BuiltinError } from '../errors.ts'
import type { Value } from '../values/value.ts'
import { wrongType } from './operands.ts'

/** An extension's error ends the evaluation in both modes (decision R10). */
export const fatal = (message: string): BuiltinError =>
  new BuiltinError(message, 'eval_builtin_error', { fatal: true })

/** The same with a constant text, which is shown even where values are hidden. */
export const fatalConstant = (message: string): BuiltinError =>
  new BuiltinError(message, 'eval_builtin_error', { fatal: true, isConstant: true })

export function fatalType(position: number, value: Value, ...expected: string[]): BuiltinError {
  const { message } = wrongType(position, value, ...expected)
  return new BuiltinError(message, 'eval_type_error', { fatal: true })
}

export function text(value: Value, position: number): string {
  if (typeof value === 'string') return value
  throw fatalType(position, value, 'string')
}
