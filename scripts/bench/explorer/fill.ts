import type { Database } from 'polgate-service/store/database.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import { type Batch, chainId, taskId } from './history.ts'

export type FillRate = { readonly rows: number; readonly events: number; readonly seconds: number }

/**
 * Inserts batches until the list of the chain has this many rows, like an indexer that catches up.
 */
export async function fill(
  store: Store,
  batches: Generator<Batch>,
  rows: number,
  say: (line: string) => void,
): Promise<FillRate> {
  const totalOf = async () => (await store.explorer.tasks(chainId, { page: 1, size: 1 })).total
  const before = await totalOf()
  let [total, events, ms, told] = [before, 0, 0, performance.now()]
  while (total < rows) {
    const { value: batch, done } = batches.next()
    if (done || batch === undefined) break
    const began = performance.now()
    if (!(await store.explorer.append(chainId, batch)))
      throw new Error(`Block ${batch.from} is not the next one: the database is not empty`)
    ms += performance.now() - began
    events += batch.events.length
    total = await totalOf()
    if (performance.now() - told > 15_000) {
      told = performance.now()
      say(`  ${total} rows, ${((1000 * (total - before)) / ms).toFixed(0)} a second`)
    }
  }
  return { rows: total - before, events, seconds: ms / 1000 }
}

/** Ended tasks of a gateway that never reached the chain, as gateways store them. */
export function insertEnded(database: Database, first: number, count: number): Promise<unknown[]> {
  const indices = Array.from({ length: count }, (_, i) => first + i)
  const text = (make: (index: number) => string) => indices.map(make)
  const address = (index: number) => taskId(index).slice(0, 42)
  const now = new Date()
  return database.query(
    `insert into tasks (id, policy_client, intent_hash, nonce, status, method, api_key_id, request,
       deadline, created_at, updated_at, finished_at, result, error, operator_errors, chain_id)
     select id, client, id, 0, 'failed', 'createTask', 'bench', request::json, $1, $1, $1, $1,
       $2::json, $3, $4::json, $5
     from unnest($6::text[], $7::text[], $8::text[]) as given(id, client, request)`,
    [
      now,
      JSON.stringify({ status: 'failed', aggregation_response: null, timestamp: 1_760_000_000 }),
      'Rego evaluation failed: undefined rule',
      JSON.stringify([
        {
          operator_address: address(1),
          operator_id: taskId(1),
          error_code: 3,
          message: 'Rego evaluation failed: undefined rule',
          timestamp: now.toISOString(),
          retryable: false,
        },
      ]),
      chainId,
      text((index) => taskId(-index)),
      text((index) => address(index)),
      text((index) =>
        JSON.stringify({
          policy_client: address(index),
          intent: {
            from: address(index + 1),
            to: address(index + 2),
            value: '0x1',
            data: '0x',
            chain_id: '0x2105',
            function_signature: '0x',
          },
        }),
      ),
    ],
  )
}

/** Inserts `count` records of failed tasks as the indexer does. */
export async function fillFailed(store: Store, first: number, count: number): Promise<FillRate> {
  let [rows, ms] = [0, 0]
  while (rows < count) {
    const part = Math.min(1000, count - rows)
    await insertEnded(store.database, first + rows, part)
    const began = performance.now()
    for (let absorbed = 1000; absorbed === 1000; )
      absorbed = await store.explorer.absorbRecords(chainId, 1000)
    ms += performance.now() - began
    rows += part
  }
  return { rows: count, events: 0, seconds: ms / 1000 }
}
