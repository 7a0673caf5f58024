import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { type GatewayProcess, startGatewayProcess } from './service/gatewayProcess.ts'
import { load, quantile } from './service/load.ts'
import { createTaskBodies } from './service/requests.ts'

/**
 * `npm run bench:telemetry`: what traces cost a task (createTask, no oracle, four operators in the
 * process of the gateway), with traces off, of every hundredth task, and of every task. Each stack is a
 * process: where one trace is recorded, Node follows the calls of the whole process. They take turns,
 * because the speed of a machine varies. CPU includes the chain's. Options: --rounds 20, --tasks 25 (of a
 * round), --quick, --json.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string' },
    tasks: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds ?? (options.quick ? 2 : 20))
const tasks = Number(options.tasks ?? (options.quick ? 4 : 25))

/** A collector that discards everything. */
const sink = spawn(process.execPath, ['-e', sinkSource()], { stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = (await once(sink.stdout, 'data')) as [Buffer]
const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${line.toString().trim()}`
const ratio = (share: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: share,
})
const variants: readonly { readonly name: string; readonly env: Record<string, string> }[] = [
  { name: 'off', env: { OTEL_SDK_DISABLED: 'true' } },
  { name: 'of 1 %', env: ratio('0.01') },
  { name: 'of all', env: ratio('1') },
]

type Measured = {
  readonly name: string
  readonly gateway: GatewayProcess
  ms: number[]
  cpu: number[]
}
const gateways: Measured[] = []
try {
  for (const { name, env } of variants)
    gateways.push({ name, gateway: await startGatewayProcess({ env }), ms: [], cpu: [] })
  for (const { gateway } of gateways) await round(gateway.stack)
  for (let each = 0; each < rounds; each++)
    for (const { gateway, ms, cpu } of gateways) {
      const before = gateway.processor()
      ms.push(await round(gateway.stack))
      cpu.push(((gateway.processor() - before) * 1000) / tasks)
    }
  const [off] = gateways
  // Of the rounds, the 10th percentile, where other load disturbs least.
  const low = (values: readonly number[]) => quantile(values, 0.1)
  const results = gateways.map(({ name, ms, cpu }) => ({
    traces: name,
    p50Ms: low(ms),
    cpuMs: low(cpu),
    ratio: low(ms) / low(off!.ms),
    cpuRatio: low(cpu) / low(off!.cpu),
  }))
  const text = results.map(
    ({ traces, p50Ms, cpuMs, ratio: times, cpuRatio }) =>
      `traces ${traces.padEnd(8)} p50 ${p50Ms.toFixed(2)} ms (× ${times.toFixed(3)}), CPU ${cpuMs.toFixed(2)} ms (× ${cpuRatio.toFixed(3)})`,
  )
  console.log(options.json ? JSON.stringify(results) : text.join('\n'))
} finally {
  for (const { gateway } of gateways) await gateway.close()
  sink.kill()
}

/** The median of one sequence of tasks, milliseconds. */
async function round(stack: StackDescription): Promise<number> {
  const target = { url: stack.gatewayUrl, path: '/rpc', key: stack.apiKeys.rpc }
  const bodies = createTaskBodies(stack, 'allow-list', tasks)
  const { p50, failures, firstFailure } = await load(target, bodies, 1)
  if (failures > 0) throw new Error(`tasks failed: ${firstFailure}`)
  return p50
}

function sinkSource(): string {
  return `const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1', () => console.log(server.address().port))`
}
