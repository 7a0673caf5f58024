import { spawnSync } from 'node:child_process'
import { RegoError } from 'polgate-rego/errors.ts'
import { fingerprint } from 'polgate-rego/format/fingerprint.ts'
import { formatModule } from 'polgate-rego/format/formatModule.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'

export type NamedText = { readonly name: string; readonly text: string }

export type FormatShare = {
  /** Modules that both formatted. */
  readonly compared: number
  readonly identical: number
  /** Modules that `opa fmt` formats in this way the second time it is run. */
  readonly identicalLater: number
  /** Modules to which `opa fmt` gives another syntax tree, drops a comment, or which it no longer parses. */
  readonly changed: readonly string[]
  readonly different: readonly (NamedText & { readonly ours: string; readonly opas: string })[]
  /** Modules that only one of both, or none, parses. */
  readonly refused: number
}

/** Formats modules here and with `opa fmt`, and compares the texts. */
export function formatShare(opa: string, modules: readonly NamedText[]): FormatShare {
  const changed: string[] = []
  const different: (NamedText & { ours: string; opas: string })[] = []
  let [compared, identical, identicalLater] = [0, 0, 0]
  for (const { name, text } of modules) {
    const opas = opaFmt(opa, text)
    const ours = opas === undefined ? undefined : formattedHere(name, text)
    if (opas === undefined || ours === undefined) continue
    compared++
    if (opas === ours) identical++
    else if (opaFmt(opa, opas) === ours) identicalLater++
    else if (isChanged(name, text, opas)) changed.push(name)
    else different.push({ name, text, ours, opas })
  }
  const refused = modules.length - compared
  return { compared, identical, identicalLater, changed, different, refused }
}

function isChanged(name: string, text: string, formatted: string): boolean {
  const print = (each: string): string => fingerprint(parseModule(new Source(name, each)))
  try {
    return print(text) !== print(formatted)
  } catch (error) {
    if (error instanceof RegoError) return true
    throw error
  }
}

function opaFmt(opa: string, text: string): string | undefined {
  const { stdout, status } = spawnSync(opa, ['fmt'], { input: text, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

function formattedHere(name: string, text: string): string | undefined {
  try {
    return formatModule(new Source(name, text))
  } catch (error) {
    if (error instanceof RegoError && error.code === 'rego_parse_error') return undefined
    throw error
  }
}
