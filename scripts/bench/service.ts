import { parseArgs } from 'node:util'
import { startLocalStack } from '../../impl/local/localStack.ts'
import { echoServer } from './service/echoServer.ts'
import { load } from './service/load.ts'
import { createTaskBodies, simulateTaskBody } from './service/requests.ts'
import { createStageClock } from './service/stageClock.ts'
import { timeToReady } from './service/timeToReady.ts'

/**
 * `npm run bench`: how long the stack takes to be ready, how fast tasks are and where their time
 * goes, how fast a simulation is beside a server that does nothing. Options: --quick (no cold
 * start, fewer tasks), --json.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    tasks: { type: 'string' },
  },
})
const tasks = Number(options.tasks ?? (options.quick ? 60 : 300))
const report: Record<string, unknown> = {
  node: process.version,
  cores: (await import('node:os')).availableParallelism(),
}
const say = (line = '') => {
  if (!options.json) console.log(line)
}
const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`

if (!options.quick) {
  say('time to ready (from the command to the first answer)')
  const ready = await timeToReady()
  report.ready = ready
  say(`  cold, nothing cached   ${ms(ready.cold)}`)
  say(`  warm, median of ${ready.warm.length}      ${ms(ready.warmMedian)}`)
  say()
}

const clock = createStageClock()
const stack = await startLocalStack({ parts: { stopwatch: clock } })
try {
  const { gatewayUrl, apiKeys } = stack.description
  const target = { url: gatewayUrl, path: '/rpc', key: apiKeys.rpc }
  for (const fixture of ['priced-transfer', 'allow-list'] as const) {
    const oracle =
      fixture === 'priced-transfer' ? 'one JavaScript oracle (secret, HTTP)' : 'no oracle'
    await load(target, createTaskBodies(stack.description, fixture, 20), 4)
    clock.reset()
    const one = await load(target, createTaskBodies(stack.description, fixture, tasks), 1)
    const stages = clock.shares(one.totalMs / tasks, tasks)
    const many = await load(target, createTaskBodies(stack.description, fixture, tasks), 8)
    report[`createTask ${fixture}`] = { one, many, stages }
    say(`createTask, four operators, ${oracle}, ${tasks} tasks`)
    say(`  one at a time   p50 ${ms(one.p50)}   p99 ${ms(one.p99)}   ${one.perSecond.toFixed(0)}/s`)
    say(
      `  eight at a time p50 ${ms(many.p50)}   p99 ${ms(many.p99)}   ${many.perSecond.toFixed(0)}/s`,
    )
    say('  where the time goes, one at a time (mean, p10, share):')
    for (const { stage, mean, p10, share } of stages) {
      const percent = `${(share * 100).toFixed(0)} %`
      const best = p10 === undefined ? '' : ms(p10)
      say(`    ${stage.padEnd(30)}${ms(mean).padStart(9)}${best.padStart(9)}${percent.padStart(7)}`)
    }
    if (one.failures + many.failures > 0)
      throw new Error(
        `${one.failures + many.failures} calls failed: ${one.firstFailure ?? many.firstFailure}`,
      )
    say()
  }

  const simulation = await simulateTaskBody(stack.description)
  const echo = await echoServer()
  const calls = options.quick ? 500 : 3_000
  const bodies = Array.from({ length: calls }, () => simulation)
  await load(target, bodies.slice(0, 200), 8)
  const simulated = await load(target, bodies, 8)
  const echoTarget = { ...target, url: echo.url }
  await load(echoTarget, bodies.slice(0, 200), 8)
  const echoed = await load(echoTarget, bodies, 8)
  await echo.close()
  report.simulateTask = { simulated, echoed }
  say(`simulateTask beside a bare hono echo, ${calls} calls, eight at a time`)
  say(
    `  simulateTask  ${simulated.perSecond.toFixed(0)}/s   p50 ${ms(simulated.p50)}   p99 ${ms(simulated.p99)}`,
  )
  say(
    `  echo          ${echoed.perSecond.toFixed(0)}/s   p50 ${ms(echoed.p50)}   p99 ${ms(echoed.p99)}`,
  )
  if (simulated.failures > 0)
    throw new Error(`${simulated.failures} simulations failed: ${simulated.firstFailure}`)
  const peak = process.resourceUsage().maxRSS / 1024
  report.peakMemoryMiB = Math.round(peak)
  say()
  say(
    `peak memory of gateway, operators, store and load generator in one process  ${peak.toFixed(0)} MiB`,
  )
} finally {
  await stack.close()
}
if (options.json) console.log(JSON.stringify(report))
process.exit(0)
