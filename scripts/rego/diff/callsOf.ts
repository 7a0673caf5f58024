import type { Builtin, BuiltinContext } from 'polgate-rego/builtins/builtin.ts'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { builtins } from 'polgate-rego/builtins/registry.ts'
import { BuiltinError } from 'polgate-rego/errors.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { budget } from 'polgate-rego/values/limits.ts'
import type { Value } from 'polgate-rego/values/value.ts'
import type { Found } from './engines.ts'
import { Here, PROFILE_OF } from './here.ts'

/** A call of a built-in that the evaluation of a program made here. */
export type CallMade = {
  readonly name: string
  readonly args: readonly Value[]
  /** Undefined: the call had no result, or failed. */
  readonly result: Value | undefined
}

/** The calls of built-ins that this engine makes when it answers a program. */
export function callsOf({ program, peer }: Found): CallMade[] {
  const made: CallMade[] = []
  const watched = [...profileBuiltins(PROFILE_OF[peer]).values()].map(
    (builtin): Builtin => ({
      ...builtin,
      fast: false,
      call: (ctx, ...args) => {
        let result: Value | undefined
        try {
          result = builtin.call(ctx, ...args)
          return result
        } finally {
          made.push({ name: builtin.name, args, result })
        }
      },
    }),
  )
  new Here(PROFILE_OF[peer], watched).answer(program)
  return made
}

/** As on the page. */
export const textOf = (value: Value | undefined): string =>
  value === undefined ? 'undefined' : stringify(value)

/** The result of a built-in of this engine, called by itself; undefined if it fails. */
export function called(name: string, ...args: readonly Value[]): Value | undefined {
  const context: BuiltinContext = {
    nowNs: 0n,
    random: { bytes: (_, count) => new Uint8Array(count) },
    memo: new Map(),
    meter: budget({ units: 1e9, bytes: 1e9 }),
  }
  try {
    return builtins.get(name)!.call(context, ...args)
  } catch (error) {
    if (error instanceof BuiltinError) return undefined
    throw error
  }
}
