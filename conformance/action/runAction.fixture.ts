import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export type Step = {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly shell?: string
  readonly uses?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
  readonly run?: string
}

export type Action = {
  readonly inputs: Readonly<
    Record<string, { readonly required: boolean; readonly default?: string; description: string }>
  >
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export const readAction = (text: string): Action => parse(text) as Action

export type ActionRun = {
  readonly code: number
  readonly stdout: string
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** What was used, with its inputs. */
  readonly used: readonly {
    readonly name: string
    readonly with: Readonly<Record<string, string>>
  }[]
}

export type ActionOptions = {
  readonly inputs: Readonly<Record<string, string>>
  /** `github.ref` and so on. */
  readonly github: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly workspace: string
  /** The directory of the action. */
  readonly place: string
  /** Kept from one run to the next, as the cache of a repository is. */
  readonly cache: string
  readonly temp: string
}

/** What a runner has from its machine: certificates, the settings of npm. */
const machine = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(SVC|GITHUB|VITEST|npm_lifecycle)/.test(name)),
)

const namesAndValues = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter(Boolean)
      .map((line): [string, string] => {
        const at = line.indexOf('=')
        return [line.slice(0, at), line.slice(at + 1)]
      }),
  )

/** Executes the steps of a composite action as a runner does: in bash, with its files and expressions. */
export async function runAction(action: Action, options: ActionOptions): Promise<ActionRun> {
  const { workspace, temp, cache, place } = options
  mkdirSync(workspace, { recursive: true })
  mkdirSync(temp, { recursive: true })
  const known: Record<string, string> = {
    'github.action_path': place,
    'runner.temp': temp,
    ...prefixed('github.', options.github),
  }
  const value = (name: string) => known[name] ?? ''
  const filled = (text: unknown) =>
    String(text).replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => value(name))
  for (const [name, input] of Object.entries(action.inputs))
    known[`inputs.${name}`] = options.inputs[name] ?? filled(input.default ?? '')
  const summary = join(temp, 'summary')
  writeFileSync(summary, '')
  const used: { name: string; with: Readonly<Record<string, string>> }[] = []
  let code = 0
  let stdout = ''
  for (const [i, step] of action.runs.steps.entries()) {
    const condition = step.if ?? ''
    if (code !== 0 && !condition.includes('always()')) continue
    if (!holds(condition, value)) continue
    const given = Object.fromEntries(
      Object.entries(step.with ?? {}).map(([name, text]) => [name, filled(text)]),
    )
    if (step.uses !== undefined) {
      const name = step.uses.split('@')[0]!
      used.push({ name, with: given })
      if (name === 'actions/cache/restore' && existsSync(cache))
        cpSync(cache, given.path!, { recursive: true })
      if (name === 'actions/cache/save') {
        rmSync(cache, { recursive: true, force: true })
        cpSync(given.path!, cache, { recursive: true })
      }
      continue
    }
    const outputs = join(temp, `outputs-${i}`)
    writeFileSync(outputs, '')
    const env = {
      ...machine,
      ...options.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: temp,
      ...Object.fromEntries(Object.entries(step.env ?? {}).map(([k, v]) => [k, filled(v)])),
    }
    const done = await bash(step.run!, workspace, env)
    stdout += done.stdout
    code ||= done.code
    Object.assign(
      known,
      prefixed(`steps.${step.id}.outputs.`, namesAndValues(readFileSync(outputs, 'utf8'))),
    )
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, output]) => [name, filled(output.value)]),
  )
  return { code, stdout, outputs, summary: readFileSync(summary, 'utf8'), used }
}

const prefixed = (prefix: string, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]))

function holds(condition: string, value: (name: string) => string): boolean {
  return condition
    .split(' && ')
    .filter((term) => term !== '' && term !== 'always()')
    .every((term) => {
      const [, name, operator, text] = /^([\w.-]+) (==|!=) '([^']*)'$/.exec(term) ?? []
      if (name === undefined) throw new Error(`this runner does not know the condition ${term}`)
      return (value(name) === text) === (operator === '==')
    })
}

export const bash = (
  script: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  shell: readonly string[] = ['bash', '-e', '-o', 'pipefail', '-c'],
): Promise<{ readonly code: number; readonly stdout: string }> =>
  new Promise((resolve) => {
    const [program, ...flags] = shell as [string, ...string[]]
    execFile(program, [...flags, script], { cwd, env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout: out + err }),
    )
  })
