import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { contentIdOf } from 'polgate-service/content/contentId.ts'
import type { OracleHost, OracleResult } from 'polgate-service/oracles/oracleHost.ts'
import { bareRunner } from './bareRunner.ts'
import { type Bench, percentile, type Section, timed } from './section.ts'
import { subjectsOf } from './subjects.ts'
import { type BenchWorld, withOracleData } from './world.ts'

/** Sequential runs, and concurrent ones. */
export const running: Section = {
  name: 'running',
  title: 'Running an oracle',
  run: (bench) =>
    withOracleData(async (world) => {
      for (const { name, what, input } of subjectsOf(bench)) {
        const component = await buildOracle(name)
        bench.heading(`${name}: ${what}`)
        const cid = contentIdOf(component)
        const host = world.newHost()
        try {
          await host.load(component, { cid })
          const run = () => host.run({ cid, input, secrets: world.secrets() })
          bench.figure('first run', await timed(run), 'ms')
          const p50 = await warm(bench, run)
          await besideBare(bench, { component, input, world, p50 })
          for (const atOnce of [1, 4, 16, 64]) await concurrent(bench, run, atOnce)
          bench.figure('resident memory', process.memoryUsage().rss / 1024 / 1024, 'MiB')
        } finally {
          await host.close()
        }
      }
    }),
}

type Run = () => ReturnType<OracleHost['run']>

/** Runs with a pause between them, like tasks, so that an instance is prepared; and without. */
async function warm(bench: Bench, run: Run): Promise<number> {
  const count = bench.quick ? 10 : 150
  const paced: { ms: number; stages: OracleResult['stats']['stages'] }[] = []
  for (let at = 0; at < count + 5; at += 1) {
    const start = performance.now()
    const { stats } = await run()
    if (at >= 5) paced.push({ ms: performance.now() - start, stages: stats.stages })
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  const p50 = percentile(
    paced.map(({ ms }) => ms),
    0.5,
  )
  bench.figure('warm, p50', p50, 'ms')
  bench.figure(
    'warm, p99',
    percentile(
      paced.map(({ ms }) => ms),
      0.99,
    ),
    'ms',
  )
  const stages = [
    ['wait for a thread', 'waitMs'],
    ['instantiate', 'instantiateMs'],
    ['guest', 'guestMs'],
    ['host calls', 'hostMs'],
  ] as const
  let known = 0
  for (const [what, stage] of stages) {
    const ms = percentile(
      paced.map((each) => each.stages[stage]),
      0.5,
    )
    known += ms
    bench.figure(`  of it, ${what}`, ms, 'ms')
  }
  bench.figure('  of it, reply and the rest', Math.max(0, p50 - known), 'ms')
  bench.figure('warm without the HTTP call, p50', p50 - hostShare(paced), 'ms')
  return p50
}

const hostShare = (runs: { stages: { hostMs: number } }[]) =>
  percentile(
    runs.map(({ stages }) => stages.hostMs),
    0.5,
  )

/** The same code with a fresh instance per run in this thread: the cost of isolation over that. */
async function besideBare(
  bench: Bench,
  subject: { component: Uint8Array; input: string; world: BenchWorld; p50: number },
): Promise<void> {
  const bare = await bareRunner(subject.component, subject.world.secrets())
  const each: number[] = []
  for (let at = 0; at < (bench.quick ? 20 : 100); at += 1) {
    each.push(await timed(async () => bare(subject.input)))
  }
  const p50 = percentile(each, 0.5)
  bench.figure('bare in this thread, immediate host, p50', p50, 'ms')
  bench.figure('warm run relative to the bare one', subject.p50 / p50, 'x')
}

async function concurrent(bench: Bench, run: Run, atOnce: number): Promise<void> {
  const total = Math.max(atOnce, bench.quick ? 32 : 256)
  const each: number[] = []
  let left = total
  const worker = async () => {
    while (left > 0) {
      left -= 1
      each.push(await timed(run))
    }
  }
  const ms = await timed(() => Promise.all(Array.from({ length: atOnce }, worker)))
  bench.figure(`${atOnce} concurrent, rate`, (total / ms) * 1000, 'runs/s')
  bench.figure(`${atOnce} concurrent, p50`, percentile(each, 0.5), 'ms')
  bench.figure(`${atOnce} concurrent, p99`, percentile(each, 0.99), 'ms')
}
