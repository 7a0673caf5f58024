import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A command of this repository and the native one, run from the same files. */
type Pair = {
  readonly name: string
  readonly own: readonly string[]
  readonly native: readonly string[]
  readonly goal: number
}

export type CommandCost = {
  readonly name: string
  readonly goal: number
  /** Milliseconds from start to end, medians. */
  readonly own: number
  /** Undefined where the native command is not installed. */
  readonly native: number | undefined
  /** Node without a program. */
  readonly node: number
}

const launcher = fileURLToPath(new URL('../../../impl/cli/polgate.mjs', import.meta.url))
const policy = fileURLToPath(new URL('./transfer.rego', import.meta.url))

const tests = `package transfer_test

import data.transfer

test_denied if not transfer.allow with input as {}

test_value if transfer.allow == false with input as {"value": 1}
`

/**
 * The time of whole commands on the policy of 70 lines, in alternating rounds, so that the load of the
 * machine affects all.
 */
export function commandCosts(rounds: number): readonly CommandCost[] {
  const cwd = mkdtempSync(join(tmpdir(), 'bench-rego-commands-'))
  try {
    cpSync(policy, join(cwd, 'transfer.rego'))
    writeFileSync(join(cwd, 'transfer_test.rego'), tests)
    writeFileSync(join(cwd, 'input.json'), '{"value": 1}')
    const evaluation = ['eval', '-d', 'transfer.rego', '-i', 'input.json', 'data.transfer.allow']
    const test = ['test', 'transfer.rego', 'transfer_test.rego']
    const own = (name: string, words: readonly string[]) => [
      process.execPath,
      launcher,
      name,
      ...words,
    ]
    const pairs: readonly Pair[] = [
      {
        name: 'regorus eval',
        own: own('regorus', evaluation),
        native: [process.env.REGORUS ?? 'regorus', ...evaluation],
        goal: 2.5,
      },
      {
        name: 'opa test',
        own: own('opa', test),
        native: [process.env.OPA ?? 'opa', ...test],
        goal: 2,
      },
    ]
    const node = [process.execPath, '-e', '0']
    // Builds what the first start builds.
    for (const pair of pairs) for (let i = 0; i < 2; i++) run(pair.own, cwd)
    return pairs.map((pair) => {
      const commands = [pair.own, pair.native, node]
      const times = commands.map((): number[] => [])
      for (let round = 0; round < rounds; round++)
        for (const [at, words] of commands.entries()) times[at]!.push(run(words, cwd) ?? Number.NaN)
      const [ownMs, nativeMs, nodeMs] = times.map(median) as [number, number, number]
      const native = Number.isNaN(nativeMs) ? undefined : nativeMs
      return { name: pair.name, goal: pair.goal, own: ownMs, native, node: nodeMs }
    })
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

/** Milliseconds; undefined for a command that does not exist. @throws Error if it fails */
function run([command = '', ...words]: readonly string[], cwd: string): number | undefined {
  const begin = performance.now()
  const { status, error, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8' })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined
  if (error !== undefined || status !== 0)
    throw new Error(`${command} ${words.join(' ')} failed: ${error?.message ?? stderr}`)
  return performance.now() - begin
}
