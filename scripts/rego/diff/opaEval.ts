import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, type DiffProgram, valueAnswer } from './answers.ts'

type Output = { readonly errors?: readonly { readonly code?: string; readonly message: string }[] }

/** A process for one program: for queries that are not paths, which the server takes alone. */
export function evaluateWithOpa(command: string, program: DiffProgram): Answer {
  const { modules, query, input, data, strict } = program
  const folder = mkdtempSync(join(tmpdir(), 'opa-eval-'))
  const put = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return name
  }
  try {
    const files = modules.map(({ name, source }) => put(name, source))
    if (data !== undefined) files.push(put('data.json', data))
    const args = ['eval', '--format', 'json', ...files.flatMap((file) => ['-d', file])]
    if (input !== undefined) args.push('-i', put('input.json', input))
    if (strict) args.push('--strict-builtin-errors')
    const { stdout } = spawnSync(command, [...args, query], { cwd: folder, encoding: 'utf8' })
    const { errors } = JSON.parse(stdout) as Output
    if (errors !== undefined) {
      const codes = errors.map(({ code }) => code ?? 'unknown')
      return { kind: 'error', codes, message: errors[0]?.message ?? '' }
    }
    // Of the text, for the digits: the value is the first member of the first expression.
    const value = /"value": ([\s\S]*?),\n {10}"text": /.exec(stdout)?.[1]
    return value === undefined ? { kind: 'undefined' } : valueAnswer(value)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
