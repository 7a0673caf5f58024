import type { Builtin } from '../builtins/builtin.ts'
import type { Dialect } from '../compile/dialect.ts'
import { compileModules, type Program } from '../compile/program.ts'
import type { ModuleSource } from '../engine.ts'
import { type Location, RegoError } from '../errors.ts'
import type { Module } from '../syntax/ast.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { byPlace, TypeChecker } from '../types/check.ts'
import { endOf } from './endOf.ts'
import { withoutRuleAt } from './withoutRule.ts'

export type CheckOptions = {
  readonly modules: readonly ModuleSource[]
  /** The built-ins that the modules may call. */
  readonly builtins: ReadonlyMap<string, Builtin>
  /** Whose semantics apply where the engines disagree; `engine-0.9` by default. */
  readonly dialect?: Dialect
  /** How many errors to find at most; 10 by default, as in OPA. */
  readonly maxErrors?: number
  /** Maximum size of a module in characters. */
  readonly maxSource?: number
}

/** An error in modules: of one of them, or between them. */
export type CheckedError = {
  readonly error: RegoError
  /** Behind the last character of what the error is about, where known. */
  readonly end: { readonly row: number; readonly col: number } | undefined
}

export type CheckResult = {
  /** By stage: syntax, then everything else that the compiler refuses, then types; empty if valid. */
  readonly errors: readonly CheckedError[]
  /** Whether there may be more than `maxErrors`. */
  readonly isCut: boolean
  /** The modules without syntax errors. */
  readonly modules: readonly Module[]
}

/**
 * Searches modules for errors. Every module with a syntax error has one; with one of them, the stages
 * after it are left out. A rule that the compiler refuses is left out to find the errors of others.
 */
export function checkModules(options: CheckOptions): CheckResult {
  const { maxErrors = 10, maxSource } = options
  const sources = new Map<string, Source>()
  const modules: Module[] = []
  const found: RegoError[] = []
  for (const { name, source: text } of options.modules) {
    const source = new Source(name, text)
    sources.set(name, source)
    try {
      modules.push(parseModule(source, { maxSource }))
    } catch (error) {
      found.push(knownError(error))
    }
  }
  if (found.length === 0) {
    found.push(...compileErrors(modules, options, maxErrors + 1).sort(byPlace))
  }
  const errors = found.slice(0, maxErrors).map((error) => ({
    error,
    end: error.location === undefined ? undefined : endIn(sources, error.location),
  }))
  return { errors, isCut: found.length > maxErrors, modules }
}

/** The name that an error says is unknown. */
const SUBJECT = /^(?:undefined function (?:.*\.)?|var )(\w+)/

function compileErrors(
  given: readonly Module[],
  { builtins, dialect }: CheckOptions,
  most: number,
): RegoError[] {
  const errors: RegoError[] = []
  const missing = new Set<string>()
  let modules: readonly Module[] | undefined = given
  while (modules !== undefined && errors.length < most) {
    try {
      const program: Program = compileModules(modules, builtins, { dialect })
      return errors.length > 0 ? errors : new TypeChecker(program).errors.slice(0, most)
    } catch (error) {
      const known = knownError(error)
      const subject = SUBJECT.exec(known.message)?.[1] ?? ''
      // A name of a rule that was left out is no error of its own.
      if (!missing.has(subject)) errors.push(known)
      const reduced = withoutRuleAt(modules, known.location)
      for (const name of reduced?.names ?? []) missing.add(name)
      modules = reduced?.modules
    }
  }
  return errors
}

function knownError(error: unknown): RegoError {
  if (error instanceof RegoError) return error
  if (error instanceof RangeError) {
    return new RegoError('rego_compile_error', 'the modules nest too deeply', { cause: error })
  }
  throw error
}

function endIn(sources: ReadonlyMap<string, Source>, location: Location): CheckedError['end'] {
  const source = sources.get(location.file)
  return source === undefined ? undefined : endOf(source, location)
}
