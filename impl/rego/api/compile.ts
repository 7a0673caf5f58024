import type { Builtin } from '../builtins/builtin.ts'
import { byName, coreBuiltins } from '../builtins/core.ts'
import type { EngineOptions } from '../engine.ts'
import { RegoError } from '../errors.ts'
import { groupOf } from '../groups/catalogue.ts'
import { Policy, type Sources } from './policy.ts'

export type CompileOptions = Omit<
  EngineOptions,
  'modules' | 'builtins' | 'extensions' | 'tracer' | 'types' | 'input' | 'inputJson'
> & {
  /** Groups of built-ins beside those of the core, and own ones; a later one replaces an earlier one. */
  readonly builtins?: readonly (readonly Builtin[])[]
  /** Only these built-ins may be called, for example those of OPA's `capabilities.json`. */
  readonly capabilities?: { readonly builtins: readonly { readonly name: string }[] }
}

/**
 * Parses, checks and compiles the modules of a policy. `data` (plain JSON) and `dataJson` (text, which
 * keeps integers of any size) are its base documents. All built-ins take time and random numbers from
 * the options `nowNs` (nanoseconds since 1970) and `seed`, so that evaluations can be repeated.
 *
 * @throws RegoError for the first error, with code, message, and location (file, row, column from 1)
 */
export function compile(sources: Sources, options: CompileOptions = {}): Policy {
  const { builtins, capabilities, ...rest } = options
  const { known, allowed } = knownBuiltins({ builtins, capabilities })
  const modules = Object.entries(sources).map(([name, source]) => ({ name, source }))
  try {
    return new Policy(modules, allowed, rest)
  } catch (error) {
    throw helped(error, known)
  }
}

/** The built-ins that exist, and those that may be called. */
export function knownBuiltins({
  builtins = [],
  capabilities,
}: {
  readonly builtins?: CompileOptions['builtins'] | undefined
  readonly capabilities?: CompileOptions['capabilities'] | undefined
}): Readonly<Record<'known' | 'allowed', ReadonlyMap<string, Builtin>>> {
  const known = byName([coreBuiltins, ...builtins].flat())
  return { known, allowed: allowedOf(known, capabilities) }
}

/** Operators are not a matter of capabilities: without `assign` no policy compiles. */
function allowedOf(
  known: ReadonlyMap<string, Builtin>,
  capabilities: CompileOptions['capabilities'],
): ReadonlyMap<string, Builtin> {
  if (capabilities === undefined) return known
  const names = new Set(capabilities.builtins.map(({ name }) => name))
  return byName(
    [...known.values()].filter(
      ({ name, infix }) => infix !== undefined || name.startsWith('internal.') || names.has(name),
    ),
  )
}

/** Says where an unknown function is, if it is in a group that was not passed. */
export function helped(error: unknown, known: ReadonlyMap<string, Builtin>): unknown {
  if (!(error instanceof RegoError)) return error
  const name = /^undefined function (\S+)/.exec(error.message)?.[1] ?? ''
  if (known.has(name)) return error
  const group = groupOf(name)
  if (group === undefined) return error
  const where = `import { ${group.name} } from 'polgate-rego/${group.subpath}'`
  const limit = group.needsNode === true ? ' (on Node)' : ''
  const next = `${where}${limit} and pass builtins: [${group.name}] to compile`
  return new RegoError(error.code, `${error.message}; ${next}`, {
    location: error.location,
    cause: error,
  })
}
