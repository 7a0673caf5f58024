import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NullServer, startNullServer } from 'polgate-self-test/nullTargets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'

/** The action as a runner executes it: its script in bash, its files, its outputs. */
const action = parse(readFileSync(new URL('./action.yml', import.meta.url), 'utf8')) as {
  readonly inputs: Readonly<
    Record<string, { readonly required: boolean; readonly default?: string }>
  >
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: {
    readonly using: string
    readonly steps: readonly {
      readonly id?: string
      readonly shell: string
      readonly env?: Readonly<Record<string, string>>
      readonly run: string
    }[]
  }
}
const here = fileURLToPath(new URL('.', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'action-'))
let server: NullServer

beforeAll(async () => {
  server = await startNullServer('reject-everything')
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const expressions: Readonly<Record<string, string>> = {
  'github.action_path': here.replace(/\/$/, ''),
  'inputs.report-dir': 'report',
  'inputs.seed': '4294967303',
  'inputs.arguments': '--clause 7.1 --tag rpc',
}
const filled = (text: string) =>
  text.replaceAll(/\$\{\{ ([a-z._-]+) \}\}/g, (_, name: string) =>
    name === 'inputs.target' ? server.url : (expressions[name] ?? ''),
  )

test('it names a shell for every step, and an output for every result of a run', () => {
  expect(action.runs.using).toBe('composite')
  for (const { shell } of action.runs.steps) expect(shell).toBe('bash')
  expect(action.inputs.target).toMatchObject({ required: true })
  for (const [name, { value }] of Object.entries(action.outputs))
    expect(value).toBe(`\${{ steps.certify.outputs.${name} }}`)
})

test('it fails when the run fails, with annotations, a summary and outputs', async () => {
  const step = action.runs.steps.find(({ id }) => id === 'certify')!
  const outputs = join(directory, 'outputs')
  const summary = join(directory, 'summary')
  mkdirSync(join(directory, 'work'))
  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    SVC_KEY_READ: 'a-key-of-nobody',
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: outputs,
    GITHUB_STEP_SUMMARY: summary,
    ...Object.fromEntries(Object.entries(step.env ?? {}).map(([k, v]) => [k, filled(v)])),
  }
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    const cwd = join(directory, 'work')
    execFile('bash', ['-e', '-o', 'pipefail', '-c', step.run], { cwd, env }, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout: out }),
    )
  })
  expect(code).toBe(1)
  const lines = stdout.split('\n')
  expect(lines.filter((line) => line.startsWith('::error title=')).length).toBeGreaterThan(0)
  const stop = lines.findIndex((line) => line.startsWith('::stop-commands::'))
  const token = lines[stop]!.slice('::stop-commands::'.length)
  expect(lines.indexOf(`::${token}::`)).toBeGreaterThan(stop)
  const told = Object.fromEntries(
    readFileSync(outputs, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  )
  expect(Object.keys(told).sort()).toEqual(Object.keys(action.outputs).sort())
  expect(told).toMatchObject({ 'exit-code': '1', seed: '0x00000007' })
  expect(readFileSync(summary, 'utf8')).toContain('NOT CONFORMANT')
})
