import { isInProfile } from 'polgate-rego/builtins/capabilities.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import type { RegoError } from 'polgate-rego/errors.ts'
import { frameLines, frameOf, type Paint } from 'polgate-rego/report/frame.ts'
import { suggest } from 'polgate-rego/report/suggest.ts'
import type { Module } from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { colours } from '../colours.ts'
import { allCapabilities, type Capabilities } from './capabilities.ts'
import { documentNames } from './documentNames.ts'

function paint(stream: NodeJS.WriteStream): Paint {
  const { red, dim, cyan, bold } = colours(stream)
  return { error: (text) => bold(red(text)), dim, help: cyan }
}

type Shown = {
  readonly modules: readonly ModuleSource[]
  readonly query?: string
  readonly capabilities: Capabilities
}

/** Prints an error on stderr with its line, a caret and a suggestion. */
export function showError(error: RegoError, context: Shown): void {
  for (const line of errorLines(error, context, process.stderr)) console.error(line)
}

/** Prints errors in the same way on a stream, stdout by default, each followed by an empty line. */
export function showErrors(
  errors: readonly RegoError[],
  context: Shown,
  stream: NodeJS.WriteStream = process.stdout,
): void {
  for (const error of errors) {
    stream.write(`${errorLines(error, context, stream).join('\n')}\n\n`)
  }
}

function errorLines(
  error: RegoError,
  context: Shown,
  stream: NodeJS.WriteStream,
): readonly string[] {
  const sources = new Map(context.modules.map(({ name, source }) => [name, source]))
  if (context.query !== undefined) sources.set('query', context.query)
  const { location } = error
  const text = location === undefined ? undefined : sources.get(location.file)
  const line = text?.split('\n')[(location?.row ?? 1) - 1] ?? ''
  const help = helpFor(error, line, context)
  return frameLines(
    frameOf(error, (file) => sources.get(file), help),
    paint(stream),
  )
}

function helpFor(
  error: RegoError,
  line: string,
  context: { readonly modules: readonly ModuleSource[]; readonly capabilities: Capabilities },
): string | undefined {
  const called = /^undefined function (\S+)/.exec(error.message)?.[1]
  if (called !== undefined && allCapabilities.has(called)) {
    const profile = isInProfile('opa-1.2', called) ? 'opa-1.2' : 'latest'
    return `the service does not have this built-in; use --capabilities ${profile} to evaluate with it`
  }
  return suggest(error, line, {
    builtins: context.capabilities.keys(),
    documents: documentNames(parsed(context.modules)),
  })
}

/** The modules without syntax errors. */
const parsed = (modules: readonly ModuleSource[]): readonly Module[] =>
  modules.flatMap(({ name, source }) => {
    try {
      return [parseModule(new Source(name, source))]
    } catch {
      return []
    }
  })
