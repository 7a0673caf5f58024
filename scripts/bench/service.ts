/**
 * Speed of the whole service, and where time and memory are spent.
 *
 *   npm run bench -- [--only ready,tasks,methods,operators,webhooks,updates,memory] [--quick] [--json]
 *
 * Figures are comparable within one run only, not across machines or times: the methods are
 * compared with a bare hono echo server in the same run.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Hono } from 'hono'
import { startLocalStack } from 'polgate-local/localStack.ts'
import { serve } from 'polgate-service/gateway/serve.ts'
import { startGatewayProcess } from './service/gatewayProcess.ts'
import type { Load } from './service/load.ts'
import { memoryOverTasks } from './service/memory.ts'
import { type GroupRow, timeEcho, timeGroups } from './service/methodGroups.ts'
import { tasksWithOperators } from './service/operatorCounts.ts'
import { createStageClock, type StageShare } from './service/stageClock.ts'
import { timeTasks } from './service/stages.ts'
import { timeToReady } from './service/timeToReady.ts'

/** Upper bound of the HTTP stack: parses JSON and writes it back. */
async function echoServer(): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Hono()
  app.post('/rpc', async (c) => c.json(await c.req.json()))
  return await serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
}

const sections = {
  ready,
  tasks,
  methods,
  operators,
  webhooks,
  updates,
  memory,
} as const
type Section = keyof typeof sections

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const chosen = options.only?.split(',') ?? Object.keys(sections)
const unknown = chosen.find((name) => !Object.hasOwn(sections, name))
if (unknown !== undefined) {
  console.error(`unknown section ${unknown}: choose from ${Object.keys(sections).join(', ')}`)
  process.exit(2)
}
const report: Record<string, unknown> = { node: process.version, cores: availableParallelism() }
function say(line = '') {
  if (!options.json) console.log(line)
}
const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
const figures = ({ perSecond, p50, p99 }: Load) =>
  `${perSecond.toFixed(0).padStart(6)}/s   p50 ${ms(p50).padStart(8)}   p99 ${ms(p99).padStart(8)}`

for (const name of chosen) {
  report[name] = await sections[name as Section]()
  say()
}
if (options.json) console.log(JSON.stringify(report))
process.exit(0)

async function ready() {
  say('time to ready (from the command to the first response)')
  const times = await timeToReady()
  say(`  cold, nothing cached   ${ms(times.cold)}`)
  say(`  warm, median of ${times.warm.length}      ${ms(times.warmMedian)}`)
  return times
}

async function tasks() {
  const count = options.quick ? 60 : 300
  const clock = createStageClock()
  const stack = await startLocalStack({ parts: { stopwatch: clock } })
  const times: Record<string, unknown> = {}
  try {
    for (const fixture of ['priced-transfer', 'allow-list'] as const) {
      const oracle =
        fixture === 'priced-transfer' ? 'one JavaScript oracle (secret, HTTP)' : 'no oracle'
      const { one, many, stages } = await timeTasks(stack, clock, fixture, count)
      times[fixture] = { one, many, stages }
      say(`createTask, four operators, ${oracle}, ${count} tasks`)
      say(`  sequential      ${figures(one)}`)
      say(`  8 concurrent    ${figures(many)}`)
      say('  where the time is spent, sequential (mean, p10, share):')
      for (const row of stages) say(stageLine(row))
    }
  } finally {
    await stack.close()
  }
  return times
}

function stageLine({ stage, mean, p10, share }: StageShare): string {
  const best = p10 === undefined ? '' : ms(p10)
  const percent = `${(share * 100).toFixed(0)} %`
  return `    ${stage.padEnd(30)}${ms(mean).padStart(9)}${best.padStart(9)}${percent.padStart(7)}`
}

async function methods() {
  const connections = [1, 16, 64]
  const line = ({ group, connections: count, load }: GroupRow) =>
    say(`  ${group.padEnd(20)}${String(count).padStart(3)} connections ${figures(load)}`)
  say('each group of methods, compared with a server that only parses and writes JSON')
  const echo = await echoServer()
  const peer = { url: echo.url, path: '/rpc', key: 'none' }
  const echoed = await timeEcho(peer, { connections, calls: options.quick ? 1_000 : 5_000 })
  await echo.close()
  for (const row of echoed) line(row)
  const gateway = await startGatewayProcess()
  try {
    const seconds = options.quick ? 0.5 : 2
    return [...echoed, ...(await timeGroups(gateway.stack, { connections, seconds }, line))]
  } finally {
    await gateway.close()
  }
}

async function operators() {
  const stack = await startLocalStack()
  say('createTask by number of operators, sequential')
  try {
    const all = []
    for (const count of [1, 4, 16]) {
      const rows = await tasksWithOperators(stack, count, options.quick ? 20 : 100)
      for (const { fixture, load, stages } of rows) {
        say(`  ${String(count).padStart(2)} operators, ${fixture.padEnd(16)} ${figures(load)}`)
        const shown = stages.map(({ stage, mean }) => `${stage} ${ms(mean)}`)
        say(`     ${shown.join(', ')}`)
      }
      all.push(...rows)
    }
    return all
  } finally {
    await stack.close()
  }
}

/** Benchmarks that also run alone, each in a separate process. */
function apart(file: string, quick: readonly string[]): Promise<unknown> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const json = options.json ? ['--json'] : []
  const args = ['--expose-gc', '--import', 'tsx', path, ...json, ...(options.quick ? quick : [])]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
    if (!options.json) process.stdout.write(chunk)
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`${file} ended with ${code}`))
      else resolve(options.json ? JSON.parse(text) : undefined)
    })
  })
}

function webhooks() {
  return apart('./webhooks.ts', ['--count', '200'])
}

function updates() {
  return apart('./updates.ts', ['--rounds', '2'])
}

async function memory() {
  const count = options.quick ? 1_000 : 10_000
  say(`resident memory of a whole stack in one process over ${count} tasks`)
  const gateway = await startGatewayProcess()
  try {
    const rows = await memoryOverTasks(gateway, count)
    for (const { tasks: done, residentMiB } of rows)
      say(
        `  after ${String(done).padStart(6)} tasks  ${residentMiB?.toFixed(0) ?? 'unavailable'} MiB`,
      )
    return rows
  } finally {
    await gateway.close()
  }
}
