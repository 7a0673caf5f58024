import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { profileShares } from './profileShares.ts'

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
  /** Node with an empty program: the least that a command in Node can take. */
  readonly node: number
  /** The functions with most of the time of the own command. */
  readonly hotSpots: () => readonly string[]
}

/** The command of the clone, or the file of another, such as that of an installed package. */
const launcher =
  process.env.POLGATE ?? fileURLToPath(new URL('../../../impl/cli/polgate.mjs', import.meta.url))
const policy = fileURLToPath(new URL('./transfer.rego', import.meta.url))

const tests = `package transfer_test

import data.transfer

test_denied if not transfer.allow with input as {}

test_value if transfer.allow == false with input as {"value": 1}
`

/** Node 20 reads these certificates at each start, used or not: 50 ms that are the machine's setting. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env

/**
 * Gives the time of whole commands on the policy of 70 lines to `use`, measured in alternating rounds, so that
 * the load of the machine affects all.
 */
export function withCommandCosts(
  rounds: number,
  use: (costs: readonly CommandCost[]) => void,
): void {
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
    const empty = join(cwd, 'empty.cjs')
    writeFileSync(empty, '')
    const node = [process.execPath, empty]
    // Builds what the first start builds.
    for (const pair of pairs) for (let i = 0; i < 2; i++) run(pair.own, cwd)
    const costs = pairs.map((pair) => {
      const commands = [pair.own, pair.native, node]
      const times = commands.map((): number[] => [])
      for (let round = 0; round < rounds; round++)
        for (const [at, words] of commands.entries()) times[at]!.push(run(words, cwd) ?? Number.NaN)
      const [ownMs, nativeMs, nodeMs] = times.map(median) as [number, number, number]
      const native = Number.isNaN(nativeMs) ? undefined : nativeMs
      const hotSpots = () => profiled(pair.own, cwd)
      return { name: pair.name, goal: pair.goal, own: ownMs, native, node: nodeMs, hotSpots }
    })
    use(costs)
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

/** Milliseconds; undefined for a command that does not exist. @throws Error if it fails */
function run([command = '', ...words]: readonly string[], cwd: string): number | undefined {
  const begin = performance.now()
  const { status, error, stderr } = spawnSync(command, words, { cwd, env, encoding: 'utf8' })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined
  if (error !== undefined || status !== 0)
    throw new Error(`${command} ${words.join(' ')} failed: ${error?.message ?? stderr}`)
  return performance.now() - begin
}

/** Where a command of Node spends its time, by a profile of one run. */
function profiled([node = '', ...words]: readonly string[], cwd: string): readonly string[] {
  const folder = join(cwd, 'profile')
  const flags = ['--cpu-prof', '--cpu-prof-interval', '100', '--cpu-prof-dir', folder]
  run([node, ...flags, ...words], cwd)
  const [file = ''] = readdirSync(folder)
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profiler.Profile
  rmSync(folder, { recursive: true })
  return profileShares(profile, 8)
}
