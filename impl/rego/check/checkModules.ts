import type { Builtin } from '../builtins/builtin.ts'
import type { Dialect } from '../compile/dialect.ts'
import { Metadata } from '../compile/metadata.ts'
import { compileModules, type Program } from '../compile/program.ts'
import type { ModuleSource } from '../engine.ts'
import { type Location, RegoError } from '../errors.ts'
import type { Module } from '../syntax/ast.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { byPlace, TypeChecker } from '../types/check.ts'
import { type SchemaSet, Schemas } from '../types/schemas.ts'
import { endOf } from './endOf.ts'
import { newerSyntax } from './newerSyntax.ts'
import { withoutRulesAt } from './withoutRules.ts'

export type CheckOptions = {
  readonly modules: readonly ModuleSource[]
  /** The built-ins that the modules may call. */
  readonly builtins: ReadonlyMap<string, Builtin>
  /** Whose semantics apply where the engines disagree; `engine-0.9` by default. */
  readonly dialect?: Dialect
  /** How many errors to find at most; 10 by default, as in OPA. */
  readonly maxErrors?: number
  /** Whether variables, arguments and imports that are not used are errors, as with `opa check --strict`. */
  readonly strict?: boolean
  /** Whether to report only the errors of the first stage that has some, as OPA does. */
  readonly firstStage?: boolean
  /** JSON schemas of documents, beside those in annotations. */
  readonly schemas?: SchemaSet
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
      if (options.dialect === 'opa-1.2') found.push(...newerSyntax(source))
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

/** Each turn finds the errors of one stage, and leaves out the rules that have them. */
function compileErrors(
  given: readonly Module[],
  { builtins, dialect, strict, firstStage, schemas }: CheckOptions,
  most: number,
): RegoError[] {
  const errors: RegoError[] = []
  const missing = new Set<string>()
  let modules: readonly Module[] | undefined = given
  while (modules !== undefined && errors.length < most) {
    const found: RegoError[] = []
    try {
      const isStrict = strict === true && modules === given
      const options = { dialect, strict: isStrict, errors: found }
      const program = compileModules(modules, builtins, options)
      if (errors.length > 0) return errors
      return new TypeChecker(program, schemasOf(program, schemas)).errors.slice(0, most)
    } catch (error) {
      if (found.length === 0) found.push(knownError(error))
    }
    // A name of a rule that was left out is no error of its own.
    errors.push(...found.filter(({ message }) => !missing.has(SUBJECT.exec(message)?.[1] ?? '')))
    if (firstStage === true) break
    // Without them, what they alone use looks unused: from here on that is no error.
    const reduced = withoutRulesAt(modules, found)
    for (const name of reduced?.names ?? []) missing.add(name)
    modules = reduced?.modules
  }
  return errors.slice(0, most)
}

/** @throws RegoError for an annotation that is not valid */
function schemasOf(
  { modules, builtins }: Program,
  given: SchemaSet | undefined,
): Schemas | undefined {
  const read = builtins.get('rego.metadata.rule')?.readAnnotations
  const isAnnotated = modules.some(({ annotations }) =>
    annotations.some(({ yaml }) => /^\s*schemas\s*:/m.test(yaml)),
  )
  if (read === undefined || !(isAnnotated || given !== undefined)) return undefined
  return new Schemas(given, new Metadata(modules, read))
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
