import { randomBytes } from 'node:crypto'
import { openStore } from 'polgate-service/store/openStore.ts'
import { startPostgres } from 'polgate-service/store/testing/postgresServer.ts'
import type { Costs } from './costs.ts'

type Times = Pick<Costs['postgres'], 'flush' | 'statements'>

const runs = 200

const hex = (bytes: number): `0x${string}` => `0x${randomBytes(bytes).toString('hex')}`

/**
 * Median times of the statements of a task, one after the other on a durable PostgreSQL of this
 * machine, and of a flush of its log: the difference between commits with and without it.
 */
export async function statementTimes(): Promise<Times> {
  const postgres = await startPostgres({ durable: true })
  try {
    const store = await openStore({ url: postgres.url })
    try {
      const { record: apiKey } = await store.apiKeys.create({
        ...{ name: 'capacity', permissions: ['rpc'], owners: [] },
      })
      const worker = 'capacity'
      const statements = { admit: 0, markProcessing: 0, settle: 0, finish: 0 }
      const times: Record<keyof typeof statements, number[]> = {
        ...{ admit: [], markProcessing: [], settle: [], finish: [] },
      }
      for (let run = 0; run < runs; run++) {
        const id = hex(32)
        const timed = async (name: keyof typeof statements, work: () => Promise<unknown>) => {
          const begin = performance.now()
          await work()
          times[name].push(performance.now() - begin)
        }
        await timed('admit', () =>
          store.tasks.admit({
            ...{
              policyClient: hex(20),
              intentHash: hex(32),
              idFor: () => id,
              method: 'createTask',
            },
            ...{ apiKeyId: apiKey.id, request: { data: hex(300) }, chainId: 1, worker },
            deadline: new Date(Date.now() + 60_000),
          }),
        )
        await timed('markProcessing', () => store.tasks.markProcessing(id, worker))
        await timed('settle', () =>
          store.ownership.settle(id, worker, { now: 0, outputs: [] }, undefined),
        )
        await timed('finish', () =>
          store.tasks.finish(id, {
            status: 'success',
            result: { status: 'success', aggregation_response: null, timestamp: 0 },
            worker,
            post: true,
          }),
        )
      }
      for (const [name, all] of Object.entries(times))
        statements[name as keyof typeof statements] = median(all)

      await store.database.execute('create table flushes (n int4)')
      const committing = async (mode: 'on' | 'off') => {
        const all: number[] = []
        for (let run = 0; run < runs; run++) {
          await store.database.transaction(async (tx) => {
            await tx.query(`set local synchronous_commit = ${mode}`)
            await tx.query('insert into flushes values ($1)', [run])
            all.push(performance.now())
          })
          all[run] = performance.now() - all[run]!
        }
        return median(all)
      }
      const flush = Math.max(0.01, (await committing('on')) - (await committing('off')))
      return { statements, flush }
    } finally {
      await store.close()
    }
  } finally {
    await postgres.stop()
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
