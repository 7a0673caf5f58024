import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { ms, type ServiceBench } from '../bench.ts'
import { type Load, load, quantile } from '../load.ts'
import { createTaskBodies } from '../requests.ts'
import { directoryOnDisk, fsyncTimes } from '../taskLimit.ts'

/** Milliseconds of a sync on the disk that the goal is for. */
const syncOfGoal = 0.2
/** Short, and in turn, each first in every other one: the disk and the machine change while they run. */
const rounds = 60

/** What a task takes longer because its commits are on disk before they are acknowledged. */
export async function durability({ say, quick, reading }: ServiceBench) {
  mkdirSync(directoryOnDisk, { recursive: true })
  const home = mkdtempSync(join(directoryOnDisk, 'bench-durability-'))
  const stacks: LocalStack[] = []
  try {
    for (const mode of ['durable', 'relaxed'] as const) {
      const dataDir = join(home, mode)
      const store = { dataDir: join(dataDir, 'store'), durability: mode, ownThread: true }
      stacks.push(await startLocalStack({ dataDir, openStore: () => openStore(store) }))
    }
    const [durable, relaxed] = stacks as [LocalStack, LocalStack]
    for (const stack of stacks) await tasksOf(stack, 20, 4)
    const syncs: number[] = []
    const differences: Record<'one' | 'many', number[]> = { one: [], many: [] }
    const times: Record<string, Load[]> = { durable: [], relaxed: [] }
    for (let round = 0; round < (quick ? 2 : rounds); round++) {
      if (round % 6 === 0) syncs.push(...fsyncTimes())
      for (const [name, count, parallel] of [
        ['one', 5, 1],
        ['many', 16, 8],
      ] as const) {
        const first = round % 2 === 0 ? await tasksOf(durable, count, parallel) : undefined
        const off = await tasksOf(relaxed, count, parallel)
        const on = first ?? (await tasksOf(durable, count, parallel))
        differences[name].push(on.p50 - off.p50)
        if (name === 'one') times.durable!.push(on)
        if (name === 'one') times.relaxed!.push(off)
      }
    }
    const sync = quantile(syncs, 0.5)
    const [one, many] = [quantile(differences.one, 0.5), quantile(differences.many, 0.5)]
    const scaled = one * (syncOfGoal / Math.max(syncOfGoal, sync))
    const p50 = (of: Load[] | undefined) =>
      ms(
        quantile(
          (of ?? []).map((each) => each.p50),
          0.5,
        ),
      )
    const { syncs: made } = durable.service.store.database.syncs?.() ?? { syncs: 0 }
    say('what durability costs a task (no oracle, p50, median of rounds in turn)')
    say(
      `  a sync of the disk ${ms(sync)} (p10 ${ms(quantile(syncs, 0.1))}, p90 ${ms(quantile(syncs, 0.9))})`,
    )
    say(
      `  sequential    durable ${p50(times.durable)}, relaxed ${p50(times.relaxed)}: ${ms(one)} more, ${(one / sync).toFixed(1)} syncs`,
    )
    say(`  8 concurrent  ${ms(many)} more`)
    say(`  at a sync of ${syncOfGoal} ms: ${ms(scaled)}; ${made} syncs in this run`)
    reading('a task, at a sync of 0.2 ms', scaled)
    return { sync, one, many, scaled, syncs: made }
  } finally {
    for (const stack of stacks) await stack.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function tasksOf(stack: LocalStack, count: number, parallel: number): Promise<Load> {
  const { gatewayUrl, apiKeys } = stack.description
  const target = { url: gatewayUrl, path: '/rpc', key: apiKeys.rpc }
  const done = await load(
    target,
    createTaskBodies(stack.description, 'allow-list', count),
    parallel,
  )
  if (done.failures > 0) throw new Error(`tasks failed: ${done.firstFailure}`)
  return done
}
