import type { Builtin } from '../builtins/builtin.ts'
import { BuiltinError, located, RegoError } from '../errors.ts'
import type { Span } from '../syntax/source.ts'
import { compare, equal } from '../values/compare.ts'
import { plain } from '../values/plain.ts'
import { isArray, isComposite, type Value } from '../values/value.ts'
import { writtenNumbersExist } from '../values/writtenNumber.ts'
import type { Eval, Frame } from './closure.ts'
import type { Context } from './context.ts'

/** Converts an exception of a built-in to an error with its name and location, or to undefined. */
export function builtinFailure(
  c: Context,
  builtin: Builtin,
  span: Span,
  error: unknown,
): undefined {
  if (!(error instanceof BuiltinError)) throw located(error, span.location)
  if (!c.run.strict && !error.fatal) return undefined
  const { location } = span
  throw new RegoError(error.code, `${builtin.name}: ${error.message}`, { location, cause: error })
}

/** Calls a built-in with values; handles `BuiltinError` according to the strict mode. */
export function callBuiltin(
  c: Context,
  builtin: Builtin,
  args: readonly Value[],
  span: Span,
): Value | undefined {
  c.run.charge(1)
  try {
    return builtin.call(c.run.builtins, ...plainArguments(builtin, args))
  } catch (error) {
    return builtinFailure(c, builtin, span, error)
  }
}

/** The arguments of a call, without written numbers where the built-in does not tell them apart. */
function plainArguments(builtin: Builtin, args: readonly Value[]): readonly Value[] {
  if (!writtenNumbersExist()) return args
  return args.map((arg, i) => (builtin.keepsWritten?.includes(i) ? arg : plain(arg)))
}

const asIs = (value: Value): Value => value

type Fast = (a: Value, b: Value) => Value | undefined

/** Fast path for operators on safe integers and simple comparisons, bypassing the built-in. */
const FAST: Readonly<Record<string, Fast>> = {
  equal: (a, b) => equal(a, b),
  neq: (a, b) => !equal(a, b),
  lt: (a, b) => (typeof a === 'number' && typeof b === 'number' ? a < b : compare(a, b) < 0),
  lte: (a, b) => (typeof a === 'number' && typeof b === 'number' ? a <= b : compare(a, b) <= 0),
  gt: (a, b) => (typeof a === 'number' && typeof b === 'number' ? a > b : compare(a, b) > 0),
  gte: (a, b) => (typeof a === 'number' && typeof b === 'number' ? a >= b : compare(a, b) >= 0),
  plus: (a, b) => safe(typeof a === 'number' && typeof b === 'number' ? a + b : undefined),
  minus: (a, b) => safe(typeof a === 'number' && typeof b === 'number' ? a - b : undefined),
  mul: (a, b) => safe(typeof a === 'number' && typeof b === 'number' ? a * b : undefined),
  rem: (a, b) =>
    Number.isSafeInteger(a) && Number.isSafeInteger(b) && b !== 0
      ? ((a as number) % (b as number)) + 0
      : undefined,
  count: (a) => {
    if (!isComposite(a)) return undefined
    return isArray(a) ? a.length : a.size
  },
}

const safe = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isSafeInteger(value) ? value + 0 : undefined

/** Calls a built-in by its number of arguments. Inside `with`, the function may be replaced. */
export function builtinCall(builtin: Builtin, args: readonly Eval[], span: Span): Eval {
  const plain = plainCall(builtin, args, span)
  const { name } = builtin
  return (c, f) => {
    if (c.replaced === undefined) return plain(c, f)
    const replacement = c.replaced.get(name)
    if (replacement === undefined) return plain(c, f)
    if (builtin.declaredOnly && replacement.kind === 'value') return plain(c, f)
    const values = evaluated(c, f, args)
    return values === undefined ? undefined : c.rules.mocked(c, replacement, values, span)
  }
}

export function evaluated(c: Context, f: Frame, args: readonly Eval[]): Value[] | undefined {
  const values: Value[] = []
  for (const arg of args) {
    const value = arg(c, f)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

function plainCall(builtin: Builtin, args: readonly Eval[], span: Span): Eval {
  const { call } = builtin
  const isFast = builtin.fast !== false && Object.hasOwn(FAST, builtin.name)
  const fast = isFast ? FAST[builtin.name] : undefined
  const [first, second] = args
  const [one, two] = [0, 1].map((i) => (builtin.keepsWritten?.includes(i) ? asIs : plain)) as [
    typeof plain,
    typeof plain,
  ]
  if (args.length === 1 && first !== undefined) {
    return (c, f) => {
      const a = first(c, f)
      if (a === undefined) return undefined
      const quick = fast?.(a, null)
      if (quick !== undefined) return quick
      c.run.charge(1)
      try {
        return call(c.run.builtins, one(a))
      } catch (error) {
        return builtinFailure(c, builtin, span, error)
      }
    }
  }
  if (args.length === 2 && first !== undefined && second !== undefined) {
    return (c, f) => {
      const a = first(c, f)
      if (a === undefined) return undefined
      const b = second(c, f)
      if (b === undefined) return undefined
      const quick = fast?.(a, b)
      if (quick !== undefined) return quick
      c.run.charge(1)
      try {
        return call(c.run.builtins, one(a), two(b))
      } catch (error) {
        return builtinFailure(c, builtin, span, error)
      }
    }
  }
  if (args.length === 3 && builtin.keepsWritten === undefined) {
    const [x, y, z] = args as readonly [Eval, Eval, Eval]
    return (c, f) => {
      const a = x(c, f)
      if (a === undefined) return undefined
      const b = y(c, f)
      if (b === undefined) return undefined
      const third = z(c, f)
      if (third === undefined) return undefined
      c.run.charge(1)
      try {
        return call(c.run.builtins, plain(a), plain(b), plain(third))
      } catch (error) {
        return builtinFailure(c, builtin, span, error)
      }
    }
  }
  return (c, f) => {
    const values = evaluated(c, f, args)
    return values === undefined ? undefined : callBuiltin(c, builtin, values, span)
  }
}
