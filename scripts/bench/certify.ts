import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checks } from 'polgate-conformance/checks/catalogue.ts'
import { loadEvents } from 'polgate-conformance/reports/readEvents.ts'

// Measures a certification of a local stack: wall time, CPU time, and the slowest checks. `--write`
// stores the durations of checks in the table that schedules long checks first. `--quick` runs one
// check. Flags of `polgate run` follow a second `--`.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const root = fileURLToPath(new URL('../../', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'bench-certify-'))

/** CPU seconds of ended children and their children; Linux only. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

const began = performance.now()
const before = childSeconds()
const few = values.quick ? ['--grep', '^rpc\\.createTask\\.allow$'] : []
const flags = ['run', 'local', '--quiet', '--report', 'json', '--report-dir', directory]
const code = await new Promise<number | null>((resolve) =>
  spawn(process.execPath, [join(root, 'impl/cli/polgate.mjs'), ...flags, ...few, ...positionals], {
    stdio: 'inherit',
  }).on('close', resolve),
)
const wall = (performance.now() - began) / 1000
const processor = childSeconds() - before
const { events } = loadEvents(directory)
rmSync(directory, { recursive: true })

const results = events.flatMap((event) => (event.type === 'check-finished' ? [event] : []))
const alone = new Set(checks.flatMap((check) => (check.exclusive ? [check.id] : [])))
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const sum = (of: typeof results, pick: (result: (typeof results)[number]) => number) =>
  of.reduce((total, result) => total + pick(result), 0)
const exclusive = results.filter(({ id }) => alone.has(id))
const asked = results.filter(({ exchanges }) => exchanges > 0)
const firstAt = Math.min(...results.map(({ at }) => at))
const besideEnd = Math.max(
  ...results.filter(({ id }) => !alone.has(id)).map(({ at, ms }) => at + ms),
)

console.log(`exit        ${code}`)
console.log(`wall        ${wall.toFixed(1)} s, ${seconds(firstAt)} before the first check`)
console.log(`processor   ${processor.toFixed(1)} s of CPU time, including child processes`)
console.log(`checks      ${results.length}, ${asked.length} of which sent requests`)
console.log(`requests    ${sum(results, ({ exchanges }) => exchanges)}`)
console.log(`concurrent until ${seconds(besideEnd)}`)
console.log(`exclusive     ${exclusive.length} checks, ${seconds(sum(exclusive, ({ ms }) => ms))}`)
for (const { id, ms, at } of [...results].sort((a, b) => b.ms - a.ms).slice(0, 20))
  console.log(`  ${seconds(ms).padStart(7)}  from ${seconds(at).padStart(7)}  ${id}`)

if (values.write) {
  const file = join(root, 'conformance/core/measured.ts')
  const text = readFileSync(file, 'utf8')
  const rows = results
    .filter(({ ms }) => ms >= 800)
    .map(({ id, ms }) => ({ id, ms: Math.round(ms / 100) * 100 }))
    .sort((a, b) => b.ms - a.ms || (a.id < b.id ? -1 : 1))
    .map(({ id, ms }) => `  '${id}': ${String(ms).replace(/(\d)(\d{3})$/, '$1_$2')},\n`)
  const head = text.slice(0, text.indexOf('{\n') + 2)
  writeFileSync(file, `${head}${rows.join('')}}\n`)
  console.log(`wrote ${rows.length} rows to ${file}`)
}
process.exit(code ?? 1)
