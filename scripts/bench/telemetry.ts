import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { load, quantile } from './service/load.ts'
import { createTaskBodies } from './service/requests.ts'

/**
 * `npm run bench:telemetry`: what traces cost a task (createTask, no oracle, four operators in this
 * process), with traces off, of every hundredth task, and of every task. The stacks take turns, because
 * the speed of a machine varies. Options: --rounds 12, --tasks 40 (of a round), --quick, --json.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string' },
    tasks: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds ?? (options.quick ? 2 : 12))
const tasks = Number(options.tasks ?? (options.quick ? 4 : 40))

/** A collector that discards everything, in a process of its own: its time is not the service's. */
const sink = spawn(process.execPath, ['-e', sinkSource()], { stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = (await once(sink.stdout, 'data')) as [Buffer]
const endpoint = `http://127.0.0.1:${line.toString().trim()}`

const variants = [
  { name: 'off', telemetry: undefined },
  { name: 'of 1 %', telemetry: { endpoint, sampleRatio: 0.01 } },
  { name: 'of all', telemetry: { endpoint, sampleRatio: 1 } },
] as const

type Measured = { readonly name: string; readonly stack: LocalStack; ms: number[]; cpu: number[] }
const stacks: Measured[] = []
try {
  for (const { name, telemetry } of variants)
    stacks.push({ name, stack: await startLocalStack({ telemetry }), ms: [], cpu: [] })
  for (const { stack } of stacks) await round(stack)
  for (let each = 0; each < rounds; each++)
    for (const measured of stacks) {
      const before = process.cpuUsage()
      measured.ms.push(await round(measured.stack))
      const { user, system } = process.cpuUsage(before)
      measured.cpu.push((user + system) / 1000 / tasks)
    }
  const [off] = stacks
  // Of the rounds, the 10th percentile, where other load disturbs least.
  const low = (values: readonly number[]) => quantile(values, 0.1)
  const results = stacks.map(({ name, ms, cpu }) => ({
    traces: name,
    p50Ms: low(ms),
    cpuMs: low(cpu),
    ratio: low(ms) / low(off!.ms),
    cpuRatio: low(cpu) / low(off!.cpu),
  }))
  const text = results.map(
    ({ traces, p50Ms, cpuMs, ratio, cpuRatio }) =>
      `traces ${traces.padEnd(8)} p50 ${p50Ms.toFixed(2)} ms (× ${ratio.toFixed(3)}), CPU ${cpuMs.toFixed(2)} ms (× ${cpuRatio.toFixed(3)})`,
  )
  console.log(options.json ? JSON.stringify(results) : text.join('\n'))
} finally {
  for (const { stack } of stacks) await stack.close()
  sink.kill()
}

/** The median of one sequence of tasks, milliseconds. */
async function round(stack: LocalStack): Promise<number> {
  const { gatewayUrl, apiKeys } = stack.description
  const target = { url: gatewayUrl, path: '/rpc', key: apiKeys.rpc }
  const { p50, failures, firstFailure } = await load(
    target,
    createTaskBodies(stack.description, 'allow-list', tasks),
    1,
  )
  if (failures > 0) throw new Error(`tasks failed: ${firstFailure}`)
  return p50
}

function sinkSource(): string {
  return `const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1', () => console.log(server.address().port))`
}
