import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Result of OPA for one package: its document, or the code of the first error. */
export type OpaAnswer =
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** A type error about a type unknown to OPA itself: its checker failed, not the policy. */
  | { readonly kind: 'unsure' }

export type Documents = { readonly input: string; readonly data: string }

/** The command, from OPA or the path; undefined if not found. */
export function findOpa(): string | undefined {
  const command = process.env.OPA ?? 'opa'
  return spawnSync(command, ['version']).error === undefined ? command : undefined
}

const NO_ERROR: OpaError = { message: 'none' }

type OpaError = { readonly code?: string; readonly message: string; readonly details?: unknown }

type Output = {
  readonly result?: readonly { readonly expressions: readonly { readonly value: unknown }[] }[]
  readonly errors?: readonly OpaError[]
}

/**
 * Evaluates as many policies as possible in one process: all packages below `data.gen` together,
 * split in half if one of them has an error. `sources[i]` is the package `gen.p<i>`.
 */
export function askOpa(
  command: string,
  sources: readonly string[],
  documents: Documents,
): OpaAnswer[] {
  const folder = mkdtempSync(join(tmpdir(), 'rego-differential-'))
  try {
    writeFileSync(join(folder, 'input.json'), documents.input)
    writeFileSync(join(folder, 'data.json'), documents.data)
    sources.forEach((source, i) => {
      writeFileSync(join(folder, `p${i}.rego`), source)
    })
    const answers: OpaAnswer[] = []
    const ask = (from: number, to: number): void => {
      const files = ['data.json', ...range(from, to).map((i) => `p${i}.rego`)]
      const args = files.flatMap((file) => ['-d', file])
      const { stdout } = spawnSync(
        command,
        ['eval', '--format', 'json', '-i', 'input.json', ...args, 'data.gen'],
        { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
      )
      const { result, errors } = JSON.parse(stdout) as Output
      if (errors === undefined) {
        const packages = (result?.[0]?.expressions[0]?.value ?? {}) as Record<string, unknown>
        for (const i of range(from, to)) {
          const value = packages[`p${i}`] ?? {}
          answers[i] = { kind: 'value', value, text: JSON.stringify(value) }
        }
      } else if (to - from === 1) {
        const [{ code = 'unknown', message, details } = NO_ERROR] = errors
        const isUnsure = code === 'rego_type_error' && /null/.test(JSON.stringify(details) ?? '')
        answers[from] = isUnsure ? { kind: 'unsure' } : { kind: 'error', code, message }
      } else {
        const middle = (from + to) >> 1
        ask(from, middle)
        ask(middle, to)
      }
    }
    ask(0, sources.length)
    return answers
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i)
