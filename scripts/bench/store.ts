/**
 * `npm run bench:store`: startup time of the embedded database, with and without the prepared
 * directory. Every start is a separate process; only opening the store is measured. Options: --runs
 * N, --quick (one run), --json.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const runs = Number(options.runs ?? (options.quick ? 1 : 7))
const script = fileURLToPath(new URL('./store/start.ts', import.meta.url))
const run = promisify(execFile)
type Start = { readonly ms: number; readonly cpuMs: number }

async function start(...args: string[]): Promise<Start> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', script, ...args])
  return JSON.parse(stdout) as Start
}

/** The median, and the first: then the files are in no cache of the process. */
async function measure(name: string, ...args: string[]) {
  const starts: Start[] = []
  for (let n = 0; n < runs; n++) starts.push(await start(...args))
  const sorted = starts.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  const cpuMs = Math.round(starts.reduce((sum, each) => sum + each.cpuMs, 0) / starts.length)
  const found = { p50: at(0.5), least: at(0), most: at(1), cpuMs }
  if (!options.json) {
    const { p50, least, most } = found
    console.log(`${name.padEnd(44)} p50 ${p50} ms (${least} to ${most}), processor ${cpuMs} ms`)
  }
  return found
}

const home = await mkdtemp(join(tmpdir(), 'svc-bench-'))
try {
  // The first process prepares the directory.
  const first = await start('directory')
  if (!options.json) console.log(`${'first start'.padEnd(44)} ${Math.round(first.ms)} ms`)
  const without = await measure('a new cluster and tables', 'anew')
  const prepared = await measure('a new directory, from the prepared one', 'directory')
  const kept = await measure('an existing directory', 'directory', home)
  const memory = await measure('in memory, from the prepared one', 'memory')
  const ratio = Number((without.p50 / prepared.p50).toFixed(1))
  if (options.json) console.log(JSON.stringify({ first, without, prepared, kept, memory, ratio }))
  else console.log(`starting from the prepared directory is ${ratio} times as fast`)
} finally {
  await rm(home, { recursive: true, force: true })
}
