import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeShardLogs } from './commands/shardLogs.ts'
import { measured } from './processes/measured.ts'

/**
 * `npm run bench:commands`: CPU time of the commands that only read: help, list, explain, and merge of
 * the logs of a whole run. Compared with the start of Node without a program in alternating rounds, so
 * that the load of the machine affects both. Fails above a ratio. Options: --rounds N, --quick (3).
 */
const { values: options } = parseArgs({
  options: { rounds: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const rounds = Number(options.rounds ?? (options.quick ? 3 : 15))
const svc = fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), 'bench-commands-'))

const sums = new Map<string, number>()

async function add(name: string, args: readonly string[]): Promise<void> {
  const { cpu } = await measured(args, cwd)
  sums.set(name, (sums.get(name) ?? 0) + cpu)
}

const mean = (name: string) => sums.get(name)! / rounds
const shown = (name: string) =>
  `${name.padEnd(12)}${`${Math.round(1000 * mean(name))} ms`.padStart(8)}`

let code = 0
try {
  const logs = writeShardLogs(cwd)
  // Node alone takes about 50 ms.
  const commands = [
    { name: '--help', args: ['--help'], most: 4 },
    { name: 'list', args: ['list'], most: 4 },
    { name: 'explain', args: ['explain', 'rpc.createTask.allow'], most: 4 },
    { name: 'merge', args: ['merge', ...logs, '--report-dir', join(cwd, 'merged')], most: 7.5 },
  ]
  // Builds the bundles of the sources, on first use.
  for (const { args } of commands) await measured([svc, ...args], cwd)
  for (let i = 0; i < rounds; i++) {
    await add('node -e 0', ['-e', '0'])
    for (const { name, args } of commands) await add(name, [svc, ...args])
  }
  console.log(`CPU time, mean of ${rounds} rounds\n${shown('node -e 0')}`)
  for (const { name, most } of commands) {
    const ratio = mean(name) / mean('node -e 0')
    console.log(`${shown(name)}, ratio ${ratio.toFixed(1)}, at most ${most}`)
    if (!(ratio <= most)) code = 1
  }
  console.log(`load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`)
  if (code !== 0) console.error('a ratio is above its limit')
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
process.exit(code)
