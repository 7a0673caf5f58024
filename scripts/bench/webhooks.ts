/**
 * `npm run bench:webhooks`: notifications per second from the outbox to receivers on loopback,
 * compared with bare POSTs of the same sender, and the effect of a receiver that never responds on
 * the others. Options: --count N, --quick (50), --json, --store URL (a PostgreSQL server instead of the embedded
 * database). Everything runs in this process, including the receivers.
 */
import { parseArgs } from 'node:util'
import { type OutboxHarness, openOutbox } from 'polgate-service/webhooks/outbox.fixture.ts'
import { type Receiver, startReceiver } from 'polgate-service/webhooks/receiver.fixture.ts'
import { createSender } from 'polgate-service/webhooks/sender.ts'

const { values: options } = parseArgs({
  options: {
    count: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    store: { type: 'string' },
  },
})
const count = Number(options.count ?? (options.quick ? 50 : 1_000))
const report: Record<string, unknown> = { node: process.version, count }
function say(line: string) {
  if (!options.json) console.log(line)
}

const bed = await openOutbox({ url: options.store })
const receiver = await startReceiver()
const silent = await startReceiver()
silent.reply('hang')

say(`${count} notifications to a receiver on loopback`)
report.bare = perSecond('bare POSTs, four at a time', await timed(() => barePosts(receiver)))
report.oneKey = perSecond('from the outbox, one key', await backlog([await keyFor(receiver)]))
const twenty = await Promise.all(Array.from({ length: 20 }, () => keyFor(receiver)))
report.twentyKeys = perSecond('from the outbox, twenty keys', await backlog(twenty))

say('\nfrom the end of a task to the receiver, sequential')
const key = await keyFor(receiver)
report.alone = delays('alone', await oneByOne(bed, key, receiver))
for (let n = 0; n < 10; n++) {
  const deaf = await bed.key({ url: silent.url, timeout_seconds: 60, max_retries: 10 })
  for (let each = 0; each < 50; each++) await bed.fail(deaf)
}
report.besideSilent = delays(
  'with ten unresponsive receivers, 500 waiting',
  await oneByOne(bed, key, receiver),
)
report.connectionsOfSilent = silent.open()

await bed.close()
await Promise.all([receiver.close(), silent.close()])
if (options.json) console.log(JSON.stringify(report))
// The bare sender keeps connections for later, which nobody closes.
process.exit(0)

function keyFor({ url }: Receiver): Promise<string> {
  return bed.key({ url, secret: 'secret', timeout_seconds: 60 })
}

/** Wall time and CPU time, receivers and database included; milliseconds. */
type Spent = { readonly ms: number; readonly cpuMs: number }

async function timed(work: () => Promise<void>): Promise<Spent> {
  const cpu = process.cpuUsage()
  const begin = performance.now()
  await work()
  const ms = performance.now() - begin
  const { user, system } = process.cpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1000 }
}

async function barePosts({ url }: Receiver): Promise<void> {
  const send = createSender()
  const target = { url: new URL(url), loopback: true }
  const body = Buffer.alloc(512, 'x')
  let left = count
  const lane = async () => {
    while (left-- > 0)
      await send({ target, body, headers: {}, attempt: 1, signal: new AbortController().signal })
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

/** Until every notification in the outbox has been received and settled. */
async function backlog(keys: readonly string[]): Promise<Spent> {
  await bed.webhooks.close()
  for (let n = 0; n < count; n++) await bed.fail(keys[n % keys.length]!)
  const waiting = 'select count(*)::int4 as left from notifications where settled_at is null'
  const left = async () => (await bed.store.database.query<{ left: number }>(waiting))[0]?.left
  return timed(async () => {
    await bed.restart()
    while ((await left()) !== 0) await new Promise((resolve) => setTimeout(resolve, 50))
  })
}

/** Milliseconds of each. */
async function oneByOne(from: OutboxHarness, apiKeyId: string, to: Receiver): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < (options.quick ? 20 : 200); n++) {
    const seen = to.received.length
    await from.fail(apiKeyId)
    const begin = performance.now()
    while (to.received.length === seen) await new Promise((resolve) => setImmediate(resolve))
    times.push(performance.now() - begin)
  }
  return times.sort((a, b) => a - b)
}

function perSecond(name: string, { ms, cpuMs }: Spent) {
  const found = {
    perSecond: Math.round((count / ms) * 1000),
    cpuMsEach: Number((cpuMs / count).toFixed(2)),
  }
  const rate = String(found.perSecond).padStart(8)
  say(`  ${name.padStart(44)}${rate}/s   ${found.cpuMsEach} ms of CPU time each`)
  return found
}

function delays(name: string, times: readonly number[]) {
  const at = (share: number) => Number(times[Math.floor(times.length * share)]!.toFixed(2))
  const found = { p50: at(0.5), p99: at(0.99) }
  say(`  ${name.padStart(44)}   p50 ${found.p50} ms   p99 ${found.p99} ms`)
  return found
}
