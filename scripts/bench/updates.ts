import { parseArgs } from 'node:util'
import { startLocalStack } from 'polgate-local/localStack.ts'
import { isPostgresMissing } from './explorer/postgres.ts'
import { acrossGateways } from './updates/acrossGateways.ts'
import { type FanOut, fanOut } from './updates/fanOut.ts'
import { openSubscriber } from './updates/subscriber.ts'

/**
 * `npm run bench:updates`: many subscribers and many tasks in flight through a local stack, in
 * rounds; checks that every subscriber receives its final event, and reports the memory after each
 * round. Options: --subscribers, --tasks, --rounds; --all has each subscriber follow each task;
 * --quick (20 subscribers, one round); --json.
 */
const { values: options } = parseArgs({
  options: {
    subscribers: { type: 'string' },
    tasks: { type: 'string' },
    rounds: { type: 'string' },
    'per-second': { type: 'string' },
    quick: { type: 'boolean', default: false },
    across: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const usual = options.quick
  ? { subscribers: 20, tasks: 5, rounds: 1, perSecond: 20 }
  : { subscribers: 200, tasks: 50, rounds: 12, perSecond: 100 }
const count = Number(options.subscribers ?? usual.subscribers)
const tasks = Number(options.tasks ?? usual.tasks)
const rounds = Number(options.rounds ?? usual.rounds)
function say(line: string) {
  if (!options.json) console.log(line)
}

/** MiB after a full collection; without `--expose-gc`, at any moment. */
function memory() {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: Math.round(rss / 2 ** 20), heap: Math.round((heapUsed / 2 ** 20) * 10) / 10 }
}

/** @returns undefined without PostgreSQL */
async function measureAcross() {
  const perSecond = Number(options['per-second'] ?? usual.perSecond)
  const seconds = options.quick ? 2 : 10
  const across = await acrossGateways(perSecond * seconds, perSecond).catch((error: unknown) => {
    if (!isPostgresMissing(error)) throw error
    say(`from gateway to gateway: not measured: ${error.message}`)
    return undefined
  })
  if (across === undefined) return undefined
  const { p50, p99, heard, sent, cpuPerTask } = across
  say(
    `from gateway to gateway at ${perSecond} tasks/s: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
      `${heard}/${sent} received, ${cpuPerTask.toFixed(2)} ms of CPU time per task`,
  )
  if (heard !== sent) throw new Error(`${heard} of ${sent} messages were received`)
  return across
}
if (options.across) {
  const across = await measureAcross()
  if (options.json) console.log(JSON.stringify(across))
  process.exit(0)
}

type Round = FanOut & ReturnType<typeof memory>
const report: Round[] = []
const stack = await startLocalStack()
try {
  // Connect at the same time, as after a restart of the gateway.
  const began = performance.now()
  const subscribers = await Promise.all(
    Array.from({ length: count }, () => openSubscriber(stack.description)),
  )
  const connected = performance.now() - began
  say(`${count} subscribers connected in ${connected.toFixed(0)} ms; ${tasks} tasks per round`)
  say('round       finals   messages    MiB       ms   messages/s   heap MiB   rss MiB')
  for (let number = 1; number <= rounds; number++) {
    const round = {
      ...(await fanOut(stack.description, subscribers, { tasks, all: options.all })),
      ...memory(),
    }
    report.push(round)
    const { finals, subscriptions, successes, messages, mebibytes, ms } = round
    const cells: [string, number][] = [
      [String(number), 5],
      [`${finals}/${subscriptions}`, 13],
      [String(messages), 11],
      [mebibytes.toFixed(1), 7],
      [ms.toFixed(0), 9],
      [((messages * 1000) / ms).toFixed(0), 13],
      [round.heap.toFixed(1), 11],
      [String(round.rss), 10],
    ]
    say(cells.map(([text, width]) => text.padStart(width)).join(''))
    if (finals !== subscriptions || successes !== finals)
      throw new Error(`${finals} of ${subscriptions} final events, ${successes} of them a success`)
  }
  // The first rounds warm up caches and code.
  const settled = report.slice(Math.floor(rounds / 3))
  const growth = (settled.at(-1)!.heap - settled[0]!.heap) / Math.max(1, settled.length - 1)
  say(`heap growth over the last ${settled.length} rounds: ${growth.toFixed(2)} MiB per round`)
  const across = await measureAcross()
  if (options.json)
    console.log(
      JSON.stringify({ across, subscribers: count, tasks, connected, rounds: report, growth }),
    )
  await Promise.all(subscribers.map((subscriber) => subscriber.close()))
} finally {
  await stack.close()
}
process.exit(0)
