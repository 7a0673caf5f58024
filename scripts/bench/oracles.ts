import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixtureApiKey, startFixtureHost } from '../../fixtures/host/fixtureHost.ts'
import { buildOracle } from '../../fixtures/oracles/build.ts'
import { contentIdOf } from '../../impl/oracles/contentId.ts'
import { createOracleHost } from '../../impl/oracles/oracleHost.ts'

/** Measures oracles: loading cold, from disk and from memory; one run; the rate of many; memory. */

const cacheDir = await mkdtemp(join(tmpdir(), 'bench-oracles-'))
const world = await startFixtureHost()
const secrets = new TextEncoder().encode(
  JSON.stringify({ PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: world.url }),
)
const oracles = [
  { name: 'echo', what: 'component text', input: '{"value":1}', runs: 1_000 },
  { name: 'price', what: 'JavaScript, one HTTP call', input: '{"symbol":"ETH"}', runs: 300 },
]

try {
  for (const { name, what, input, runs } of oracles) {
    const component = await buildOracle(name)
    const cid = contentIdOf(component)
    const newHost = () =>
      createOracleHost({ clock: Date, cacheDir, egress: { allowedHosts: [world.hostPort] } })

    console.log(`${name}: ${what}, ${(component.length / 1024).toFixed(0)} KiB`)
    const first = newHost()
    print('load, cold', await timed(() => first.load(component, { cid })))
    await first.close()
    const host = newHost()
    print('load, from disk', await timed(() => host.load(component, { cid })))
    print('load, from memory', await timed(() => host.load(component, { cid })))
    print('first run', await timed(() => host.run({ cid, input, secrets })))

    const each: number[] = []
    for (let run = 0; run < runs; run += 1) {
      each.push(await timed(() => host.run({ cid, input, secrets })))
    }
    each.sort((a, b) => a - b)
    print('run, p50', each[Math.floor(runs * 0.5)] ?? 0)
    print('run, p99', each[Math.floor(runs * 0.99)] ?? 0)

    const all = Array.from({ length: runs })
    const ms = await timed(() => Promise.all(all.map(() => host.run({ cid, input, secrets }))))
    console.log(`  ${'rate'.padEnd(20)} ${((runs / ms) * 1000).toFixed(0)} runs a second`)
    const mebibytes = process.memoryUsage().rss / 1024 / 1024
    console.log(`  ${'resident memory'.padEnd(20)} ${mebibytes.toFixed(0)} MiB`)
    await host.close()
  }
} finally {
  await world.stop()
  await rm(cacheDir, { recursive: true })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function print(what: string, ms: number): void {
  console.log(`  ${what.padEnd(20)} ${ms.toFixed(2)} ms`)
}
