/**
 * `npm run bench:smoke`: the short form of every benchmark of package.json, two at a time. Fails if one
 * ends with an error, has no `--quick` or hangs. It shows that they run, not how fast. Options: --only TEXT
 * (benchmarks whose name contains it), --seconds N (the longest that one may print nothing; default 600,
 * since a busy machine is ten times slower than an idle one).
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pMap from 'p-map'
import { keepTemporaryFilesInMemory } from '../testing/temporaryFiles.ts'
import { benchesOf } from './smoke/benchesOf.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '600' },
  },
})
const root = fileURLToPath(new URL('../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  scripts: Record<string, string>
}

type Ended = { readonly code: number | string; readonly output: string; readonly seconds: number }

/** Runs a benchmark; npm passes signals on to it. */
function run(name: string): Promise<Ended> {
  const begin = performance.now()
  const child = spawn('npm', ['run', '--silent', name, '--', '--quick'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // The whole group: npm, a shell, the benchmark and what it has started.
  const limit = setTimeout(
    () => process.kill(-child.pid!, 'SIGKILL'),
    Number(options.seconds) * 1e3,
  )
  let output = ''
  const take = (chunk: unknown) => {
    output += String(chunk)
    limit.refresh()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(limit)
      const seconds = (performance.now() - begin) / 1000
      resolve({ code: code ?? signal ?? 'unknown', output, seconds })
    })
  })
}

const failed: string[] = []
const begin = performance.now()
const names = benchesOf(scripts).filter((each) => each.includes(options.only))
const removeTemporaryFiles = await keepTemporaryFilesInMemory()
// They wait for starts and replies half of the time.
await pMap(
  names,
  async (name) => {
    const { code, output, seconds } = await run(name)
    console.log(`${name.padEnd(20)}${seconds.toFixed(1).padStart(6)} s  exit code ${code}`)
    if (code === 0) return
    failed.push(name)
    console.log(output.split('\n').slice(-40).join('\n'))
  },
  { concurrency: 2 },
)
console.log(
  `${((performance.now() - begin) / 1000).toFixed(0)} s; ${failed.length === 0 ? 'all ended well' : `failed: ${failed.join(', ')}`}`,
)
await removeTemporaryFiles()
process.exit(failed.length === 0 ? 0 : 1)
