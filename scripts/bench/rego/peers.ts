import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Case } from './cases.ts'

/** A native engine to compare with, if installed. */
export type Peer = {
  readonly name: string
  /** Nanoseconds per evaluation, or the reason for a missing figure. */
  readonly measure: (example: Case, milliseconds: number) => number | string
}

function inFiles<T>(example: Case, use: (policy: string, data: string, input: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rego-'))
  const write = (name: string, content: string | undefined) => {
    if (content === undefined) return '-'
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))
  try {
    return use(
      write('policy.rego', example.policy)!,
      write('data.json', json(example.data)),
      write('input.json', json(example.input)),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const firstLine = (text: string) => text.trim().split('\n')[0] ?? ''

/** The driver in `peers/regorus`, from REGORUS_BENCH or the path. */
export function regorusPeer(): Peer | string {
  const command = process.env.REGORUS_BENCH ?? 'regorus-bench'
  const found = spawnSync(command, [], { encoding: 'utf8' })
  if (found.error)
    return 'regorus 0.9: not found (build scripts/bench/peers/regorus, set REGORUS_BENCH)'
  return {
    name: 'regorus 0.9',
    measure: (example, milliseconds) =>
      inFiles(example, (policy, data, input) => {
        const args = [example.mode, policy, data, input, example.rule, String(milliseconds)]
        const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8' })
        if (status !== 0) return firstLine(stderr) || 'failed'
        return (JSON.parse(stdout) as { p50: number }).p50
      }),
  }
}

/** OPA's `bench`; the command is from OPA or the path. It has no cold mode. */
export function opaPeer(): Peer | string {
  const command = process.env.OPA ?? 'opa'
  const version = spawnSync(command, ['version'], { encoding: 'utf8' })
  if (version.error) return 'opa v1.2.0: not found (set OPA)'
  const name = `opa v${/Version: (\S+)/.exec(version.stdout)?.[1] ?? '?'}`
  return {
    name,
    measure: (example) =>
      inFiles(example, (policy, data, input) => {
        if (example.mode === 'cold') return 'no cold mode'
        const args = ['bench', '--format', 'json', '-d', policy]
        if (data !== '-') args.push('-d', data)
        if (input !== '-') args.push('-i', input)
        try {
          const out = execFileSync(command, [...args, example.rule], {
            encoding: 'utf8',
            stdio: 'pipe',
          })
          const { N, T } = JSON.parse(out) as { N: number; T: number }
          return T / N
        } catch (error) {
          return firstLine(String((error as { stderr?: unknown }).stderr ?? error))
        }
      }),
  }
}
