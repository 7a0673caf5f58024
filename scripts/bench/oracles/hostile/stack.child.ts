import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import {
  type HostileFixture,
  hostileComponent,
  hostileFixture,
  hostileInput,
  hostileNames,
} from 'polgate-fixtures/hostile/catalogue.ts'
import { hugeComponent } from 'polgate-fixtures/hostile/huge-component/component.ts'
import type { RawServer } from 'polgate-fixtures/hostile/rawServer.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { startLocalStack } from 'polgate-local/localStack.ts'
import { contentIdOf } from 'polgate-service/content/contentId.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { httpGateways } from 'polgate-service/content/gateways.ts'
import { createOracleHost } from 'polgate-service/oracles/oracleHost.ts'
import { watchLoop } from './loopWatch.ts'
import type { Ask, Place, Seen } from './messages.ts'

/**
 * A whole local stack, with an oracle host of the same settings in its process that runs the
 * attacks. Argument: the hostile servers as JSON. Its first message is the URL for health calls.
 */
const places = JSON.parse(process.argv[2] ?? '{}') as Record<string, Place>
const directory = await mkdtemp(join(tmpdir(), 'bench-hostile-'))
const stack = await startLocalStack({})
const host = createOracleHost({
  clock: Date,
  cacheDir: join(directory, 'transpiled'),
  egress: { allowedHosts: Object.values(places).map(({ hostPort }) => hostPort) },
  maxWorkers: 6,
  maxPerComponent: 4,
  maxThreads: 24,
  maxQueued: 10_000,
})
const echo = await load(await buildOracle('echo'))
// Fills the caches before the measurement.
for (const name of hostileNames()) {
  const fixture = hostileFixture(name)
  for (const each of fixture.cases) await hostileComponent(fixture, each).catch(() => undefined)
}
const cold = await buildOracle('price')
const huge = hugeComponent()
const hugeCid = 'hugecomponent'
/** Content ids of the loaded components: hashing is not part of the measurement. */
const cids = new Map<string, string>()

process.on('message', (ask: Ask) => void measure(ask).then((seen) => process.send?.(seen)))
process.once('disconnect', async () => {
  await Promise.all([stack.close(), host.close()])
  await rm(directory, { recursive: true, force: true })
  process.exit()
})
process.send?.({ healthUrl: `${stack.service.adminUrl}/healthz` })

async function measure({ fixture, ms }: Ask): Promise<Seen> {
  const until = performance.now() + ms
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  const neighbour: number[] = []
  let bombs = 0
  const workOfLoop = watchLoop()
  await Promise.all([
    (async () => {
      for (; performance.now() < until; await wait(10)) {
        const begin = performance.now()
        await host.run({ cid: echo, input: '1' })
        neighbour.push(performance.now() - begin)
      }
    })(),
    ...(fixture === undefined ? [] : [0, 1]).map(async (at) => {
      const attacks = attacksOf(fixture ?? '')
      for (let count = at; performance.now() < until; count += 1) {
        const attack = attacks[count % attacks.length]
        // Work that exceeds the time is abandoned.
        await Promise.race([attack?.().catch(() => {}), wait(until - performance.now())])
        bombs += performance.now() < until ? 1 : 0
        // Yields to others, because an attack may be refused immediately.
        await nextTurn()
      }
    }),
  ])
  delays.disable()
  return { bombs, neighbour, loopMaxMs: delays.max / 1e6, work: workOfLoop() }
}

function attacksOf(name: string): (() => Promise<unknown>)[] {
  if (name === 'cold-loads') {
    // A trailing custom section makes the same program a new component.
    return [
      () => {
        const component = Buffer.concat([cold, Uint8Array.of(0, 17, 0), randomBytes(16)])
        return host.load(component, { cid: randomUUID().replaceAll('-', '') })
      },
    ]
  }
  const fixture = hostileFixture(name)
  const server = places[name] as RawServer | undefined
  return fixture.cases.map((each) => () => {
    if (each.cid !== undefined) return content(fixture, each.cid)
    return run(fixture, each, server)
  })
}

async function run(
  fixture: HostileFixture,
  each: HostileFixture['cases'][number],
  server: RawServer | undefined,
): Promise<void> {
  const key = `${fixture.name} ${each.name}`
  const cid = cids.get(key) ?? (fixture.name === 'huge-component' ? hugeCid : undefined)
  if (cid === hugeCid) await host.load(huge, { cid })
  else if (cid === undefined) cids.set(key, await load(await hostileComponent(fixture, each)))
  await host.run({ cid: cids.get(key) ?? '', input: hostileInput(each, server) })
}

async function content(fixture: HostileFixture, cid: string): Promise<void> {
  const gateways = httpGateways({ urls: [`http://${places[fixture.name]?.hostPort}`] })
  const store = createContentStore({ directory: join(directory, 'content'), gateways })
  await host.load(() => store.get(cid), { cid })
}

async function load(component: Uint8Array): Promise<string> {
  const cid = contentIdOf(component)
  await host.load(component, { cid })
  return cid
}
