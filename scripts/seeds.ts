import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freshSeed } from 'polgate-conformance/core/seed.ts'
import { exitCode } from 'polgate-conformance/core/verdict.ts'
import { loadEvents } from 'polgate-conformance/reports/readEvents.ts'
import {
  recordSeedRuns,
  type SeedRun,
  type SeedSeries,
  seedRunOf,
  summaryOf,
  summaryText,
} from 'polgate-conformance/runner/seedRuns.ts'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'

// Runs the suite against a correct gateway, each time with another seed, and reports the must checks that
// failed or were often untestable: false alarms by chance or by load. The state file has each run that
// ended; the same command continues an interrupted series. `--busy 0,8` keeps so many processors busy
// during the runs, in turn. `--record` saves the number of failures, which certificates quote. Flags of
// `polgate run` follow a second `--`.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string', default: 'local' },
    runs: { type: 'string', default: '10' },
    state: { type: 'string' },
    busy: { type: 'string', default: '0' },
    record: { type: 'boolean', default: false },
  },
})
const mostBusy = 64

function refuse(problem: string): never {
  console.error(problem)
  process.exit(2)
}

function numberOf(flag: string, text: string, least: number, most: number): number {
  const number = Number(text)
  return /^\d+$/.test(text) && number >= least && number <= most
    ? number
    : refuse(`${flag} must be a number from ${least} to ${most}`)
}

const runs = numberOf('--runs', values.runs, 1, 1_000)
const busy = values.busy.split(',').map((text) => numberOf('--busy', text, 0, mostBusy))
const root = fileURLToPath(new URL('..', import.meta.url))
const { target } = values
const state =
  values.state ?? join(root, '.cache', 'seeds', `${target.replaceAll(/[^\w.-]+/g, '-')}.json`)

function savedSeries(): SeedSeries {
  if (!existsSync(state)) return { target, flags: positionals, runs: [] }
  const saved = JSON.parse(readFileSync(state, 'utf8')) as SeedSeries
  return saved.target === target && String(saved.flags) === String(positionals)
    ? saved
    : refuse(
        `${state} has runs of ${[saved.target, ...saved.flags].join(' ')}. Delete it, or name another file with --state.`,
      )
}

let series = savedSeries()
function save(change: Partial<SeedSeries>): void {
  series = { ...series, ...change }
  mkdirSync(dirname(state), { recursive: true })
  replaceFileSync(state, `${JSON.stringify(series, undefined, 2)}\n`)
}

function run(seed: string, out: string): Promise<number | null> {
  const command = join(root, 'impl', 'cli', 'polgate.mjs')
  const flags = ['run', target, '--seed', seed, '--quiet', '--report', 'json', '--report-dir', out]
  return new Promise((resolve) => {
    spawn(process.execPath, [command, ...flags, ...positionals], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }).on('close', resolve)
  })
}

/** Keeps a processor busy, and ends by itself if this process is killed. */
const spinning = 'for (const end = Date.now() + 900_000; Date.now() < end;);'

/** Undefined if the run did not end. */
async function runBusy(seed: string, processors: number): Promise<SeedRun | undefined> {
  const out = mkdtempSync(join(tmpdir(), 'seeds-'))
  const spinners = Array.from({ length: processors }, () =>
    spawn(process.execPath, ['-e', spinning], { stdio: 'ignore' }),
  )
  try {
    const code = await run(seed, out)
    return code === exitCode.couldNotRun || code === null
      ? undefined
      : seedRunOf(loadEvents(out).events)
  } finally {
    for (const each of spinners) each.kill('SIGKILL')
    rmSync(out, { recursive: true, force: true })
  }
}

// The run in progress receives the signal too, ends, and is repeated by the next series.
process.on('SIGINT', () => undefined)

while (series.runs.length < runs) {
  const number = series.runs.length
  const seed = series.next ?? freshSeed()
  save({ next: seed })
  const ended = await runBusy(seed, busy[number % busy.length]!)
  if (ended === undefined)
    refuse(
      `run ${number + 1} of ${runs} with seed ${seed} did not end; the same command repeats it`,
    )
  save({ runs: [...series.runs, ended], next: undefined })
  const { failed, untestable, seconds, load } = ended
  console.log(
    `run ${number + 1} of ${runs}: seed ${seed}, ${seconds} s, load ${load}, must checks failed ${failed.length}, untestable ${untestable.length}`,
  )
}
console.log(summaryText(series.runs))
if (values.record) recordSeedRuns(series.runs)
const { failed, often } = summaryOf(series.runs)
process.exit(failed.length + often.length === 0 ? 0 : 1)
