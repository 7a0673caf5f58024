import { compare, parse, type SemVer } from 'semver'
import { BuiltinError } from '../errors.ts'
import type { Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { asString } from './operands.ts'
import { ANY, BOOLEAN, NUMBER, STRING } from './types.ts'

/** A version in strict syntax: no `v`, no whitespace. */
const read = (text: string): SemVer | null => (/^\d.*\S$/.test(text) ? parse(text) : null)

function version(value: Value, position: number): SemVer {
  const text = asString(value, position)
  const parsed = read(text)
  if (parsed === null) {
    throw new BuiltinError(
      `operand ${position}: string ${JSON.stringify(text)} is not a valid SemVer`,
    )
  }
  return parsed
}

export const semverBuiltins: readonly Builtin[] = [
  {
    name: 'semver.compare',
    args: [STRING, STRING],
    result: NUMBER,
    call: (_, a: Value, b: Value) => compare(version(a, 1), version(b, 2)),
  },
  {
    name: 'semver.is_valid',
    args: [ANY],
    result: BOOLEAN,
    call: (_, a: Value) => typeof a === 'string' && read(a) !== null,
  },
]
