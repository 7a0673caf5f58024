import { fromJson } from '../values/json.ts'
import { budget } from '../values/limits.ts'
import { RegoSet } from '../values/set.ts'
import type { SetValue, Value } from '../values/value.ts'
import type { BuiltinContext } from './builtin.ts'
import { seededRandom } from './random.ts'
import { builtins } from './registry.ts'

/** Helpers for tests of built-ins: a context with a fixed clock and seed, and short names. */

export const testContext = (changes: Partial<BuiltinContext> = {}): BuiltinContext => ({
  nowNs: 1_700_000_000_000_000_000n,
  random: seededRandom(() => new Uint8Array(32)),
  memo: new Map(),
  meter: budget({ units: 1e8, bytes: 1e9 }),
  ...changes,
})

/** Converts plain data to a value; sets and objects of Rego inside are kept. */
export const value = (data: unknown): Value => fromJson(data)

export const set = (...members: unknown[]): SetValue =>
  RegoSet.from(members.map((one) => fromJson(one)))

/** Calls a built-in by name with plain data. */
export function callWith(ctx: BuiltinContext, name: string, ...args: unknown[]): Value | undefined {
  const builtin = builtins.get(name)
  if (builtin === undefined) throw new Error(`no built-in ${name}`)
  return builtin.call(ctx, ...args.map((arg) => fromJson(arg)))
}

export const call = (name: string, ...args: unknown[]): Value | undefined =>
  callWith(testContext(), name, ...args)
