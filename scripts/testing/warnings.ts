import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One process warning, such as MaxListenersExceededWarning. */
export type Warning = {
  name: string
  message: string
  stack: string
  /** What the process runs. */
  command: string
}

export type Warnings = {
  /** Stops watching; what was seen. */
  end(): Warning[]
}

/** Warnings that say nothing about this code, each with the reason. */
const allowed: readonly { name: string; message: RegExp; reason: string }[] = []

export const unexpected = (warnings: readonly Warning[]): Warning[] =>
  warnings.filter(
    (warning) =>
      !allowed.some(({ name, message }) => name === warning.name && message.test(warning.message)),
  )

const recorder = fileURLToPath(new URL('./recordWarnings.cjs', import.meta.url))

/**
 * Watches the warnings of this process, and of the Node processes that are started with its
 * environment until the end.
 */
export function watchWarnings(): Warnings {
  const seen: Warning[] = []
  const note = ({ name, message, stack = '' }: Error) =>
    void seen.push({ name, message, stack, command: 'this process' })
  process.on('warning', note)
  const { NODE_OPTIONS: options = '', SVC_TEST_WARNINGS: outer } = process.env
  const file = join(tmpdir(), `warnings-${randomUUID()}`)
  process.env.SVC_TEST_WARNINGS = file
  process.env.NODE_OPTIONS = `${options} --require ${JSON.stringify(recorder)}`.trim()

  return {
    end() {
      process.off('warning', note)
      restore('NODE_OPTIONS', options === '' ? undefined : options)
      restore('SVC_TEST_WARNINGS', outer)
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
      rmSync(file, { force: true })
      return [...seen, ...lines.map((line) => JSON.parse(line) as Warning)]
    },
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}
