import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { RunEvent } from 'polgate-conformance/core/events.ts'
import { loadEvents } from 'polgate-conformance/reports/readEvents.ts'
import { flakesOf, recordFlakes } from 'polgate-conformance/runner/flakes.ts'

// Certifies a new stack repeatedly, each time with another seed, and reports checks whose verdicts
// differ. `--record` saves the result, which certificates quote. Flags of `polgate run` follow a second
// `--`.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '10' },
    out: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 2 || runs > 1_000) {
  console.error('--runs must be a number from 2 to 1000')
  process.exit(2)
}
const command = fileURLToPath(new URL('../impl/cli/polgate.mjs', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'flakes-'))

const certify = (out: string) =>
  new Promise<number | null>((resolve) => {
    const flags = ['run', 'local', '--quiet', '--report', 'json', '--report-dir', out]
    spawn(process.execPath, [command, ...flags, ...positionals], { stdio: 'inherit' }).on(
      'close',
      resolve,
    )
  })

const logs: (readonly RunEvent[])[] = []
try {
  for (let i = 1; i <= runs; i++) {
    const out = join(directory, String(i))
    const began = performance.now()
    const code = await certify(out)
    console.log(`run ${i} of ${runs}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
    if (code === 2 || code === 130 || code === null) {
      console.error(`run ${i} could not run: exit ${code}`)
      process.exit(2)
    }
    logs.push(loadEvents(out).events)
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
const report = flakesOf(logs)
if (values.record) recordFlakes(report)
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, undefined, 2)}\n`)
for (const { id, verdicts } of report.flakes) console.log(`${id}  ${JSON.stringify(verdicts)}`)
console.log(
  `${report.flakyRuns} of ${report.runs} runs differed, in ${report.flakes.length} checks`,
)
process.exit(report.flakes.length === 0 ? 0 : 1)
