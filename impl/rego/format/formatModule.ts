import { RegoError } from '../errors.ts'
import type { Module } from '../syntax/ast.ts'
import { isKeywordImport } from '../syntax/imports.ts'
import { lex } from '../syntax/lexer.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { fingerprint } from './fingerprint.ts'
import { ModuleWriter } from './moduleWriter.ts'
import { Places } from './places.ts'

/** Joined lines settle at the latest after this many passes; two are usual. */
const MAX_PASSES = 10

export type FormatOptions = {
  /** Leaves out the imports of `rego.v1` and `future.keywords`, which have no effect in Rego v1. */
  readonly dropV0Imports?: boolean
}

/**
 * Formats a module in the style of `opa fmt` 1.2. The result parses to the same syntax tree and has the same
 * comments, and formatting it again changes nothing: where one pass of `opa fmt` joins lines that a second
 * one would lay out differently, this is the result of the last.
 *
 * @throws RegoError `rego_parse_error` if the source does not parse; `eval_internal_error`, at the package, if
 *   the module cannot be written without a change of its meaning
 */
export function formatModule(source: Source, options: FormatOptions = {}): string {
  const parsed = parseModule(source)
  const imports = parsed.imports.filter(({ path }) => !isKeywordImport(path))
  const module = options.dropV0Imports === true ? { ...parsed, imports } : parsed
  let text = written(source, module)
  for (let pass = 1; pass < MAX_PASSES; pass++) {
    const next = new Source(source.file, text)
    const again = reparsed(next, module)
    const after = written(next, again)
    if (after === text) return text
    text = after
  }
  return fail(module, 'its layout does not settle')
}

const written = (source: Source, module: Module): string =>
  new ModuleWriter(module, new Places(source, lex(source).tokens)).run()

/** Parses the formatted text. @throws RegoError if it does not have the meaning of `module` */
function reparsed(source: Source, module: Module): Module {
  let again: Module
  try {
    again = parseModule(source)
  } catch (cause) {
    return fail(module, 'the result would not parse', cause)
  }
  const [before, after] = [fingerprint(module), fingerprint(again)]
  if (before === after) return again
  return fail(module, 'its meaning would change')
}

function fail(module: Module, why: string, cause?: unknown): never {
  const { location } = module.package.span
  const message = `cannot format this module: ${why}. Format it by hand, or report the module`
  throw new RegoError('eval_internal_error', message, { location, cause })
}
