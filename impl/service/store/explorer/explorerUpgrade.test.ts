import { systemClock } from 'polgate-protocol/clock.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../database.ts'
import { migrate, migrateTo } from '../migrate.ts'
import { openDatabase } from '../openDatabase.ts'
import { explorerStore } from './explorerStore.ts'

/**
 * Data indexed by an earlier release, shown by this one: nothing is lost, and errors are corrected.
 */
const chain = 7
const id = (digit: string) => `0x${digit.repeat(64)}`
const bytes = (digit: string, size = 32) => `decode('${digit.repeat(2 * size)}', 'hex')`
const client = `0x${'c'.repeat(40)}`
const request = JSON.stringify({
  intent: { from: `0x${'f'.repeat(40)}`, chain_id: '0x7', function_signature: '0x' },
})
const response = {
  policy_id: id('e'),
  policy_address: `0x${'d'.repeat(40)}`,
  evaluation_result: [1],
  policy_config: {},
  policy_task_data: {},
}

let database: Database
beforeAll(async () => {
  database = await openDatabase({})
  await database.transaction(async (tx) => {
    // A database in memory starts with all tables of this release.
    await tx.execute('drop schema public cascade; create schema public')
    await migrateTo(4, tx)
  })
})
afterAll(() => database.close())

const task = (digit: string, second: number, more: Record<string, unknown>) =>
  database.query(
    `insert into tasks (id, policy_client, intent_hash, nonce, status, method, api_key_id, request,
       deadline, created_at, updated_at, finished_at, explored_at, result, error, chain_id, posting,
       posting_error)
     values ($1, $2, $1, 0, $3, 'createTask', 'key', $4, now(), to_timestamp($5), now(), now(), now(),
       $6, $7, $8, $9, $10)`,
    [
      id(digit),
      client,
      more.status,
      request,
      second,
      JSON.stringify(more.result),
      more.error ?? null,
      chain,
      more.posting ?? null,
      more.postingError ?? null,
    ],
  )

it('corrects rows of the first explorer, without losing any', async () => {
  const named = (block: number) => ({ task: { taskCreatedBlock: block } })
  // a and b were posted in a different order than their blocks; c never got a response.
  await task('a', 1_010, { status: 'success', posting: 'posted', result: named(12) })
  await task('b', 1_005, { status: 'success', posting: 'posted', result: named(11) })
  await task('c', 1_015, {
    status: 'success',
    posting: 'failed',
    postingError: 'no gas',
    result: { ...named(13), task_response: response, text: '"taskCreatedBlock":9 \u0000' },
  })
  await task('1', 1_018, { status: 'failed', error: 'late', result: named(14) })
  await task('2', 1_001, { status: 'failed', error: 'early', result: named(10) })
  const created = (digit: string, block: number) =>
    `(${chain}, ${block}, 0, 1, ${bytes('9')}, ${bytes(digit)}, ${bytes('f', 20)},
      ${bytes('c', 20)}, null, null, null, '{}')`
  const responded = (digit: string, block: number, reference: number) =>
    `(${chain}, ${block}, 1, 2, ${bytes('8')}, ${bytes(digit)}, ${bytes('d', 20)}, null,
      ${bytes('e')}, '\\x01', '{"reference_block":${reference}}', '{}')`
  const row = (digit: string, n: number, block: string, answered: boolean, off: string) =>
    `(${chain}, ${n}, ${block === 'null' ? 22 : block}, ${block === 'null' ? 1 : 0}, ${block},
      ${block === 'null' ? 'null' : `${1_000 + 10 * Number(block)}`},
      ${answered ? n : 'null'}, ${answered ? n : 'null'}, ${off}, 0, ${bytes(digit)},
      ${bytes('f', 20)}, ${bytes('c', 20)}, ${answered ? bytes('e') : 'null'},
      ${answered ? bytes('d', 20) : 'null'})`
  const record = (digit: string, finished: number, error: string) =>
    `(${chain}, ${finished}, true, ${bytes(digit)}, ${bytes('f', 20)}, ${bytes('c', 20)},
      '${error}', '{}')`
  await database.transaction((tx) =>
    tx.execute(`
      insert into explorer_cursors values (${chain}, 24, 3, now());
      insert into explorer_blocks values
        (${chain}, 20, 1200, 1, 0, true, '\\x01'), (${chain}, 21, 1210, 2, 0, true, '\\x02'),
        (${chain}, 22, 1220, 3, 0, true, '\\x03');
      insert into explorer_events (chain_id, block, log_index, kind, transaction_hash, subject, party,
        client, policy_id, evaluation_result, certificate, body) values
        ${created('a', 20)}, ${responded('a', 20, 12)}, ${created('b', 21)},
        ${responded('b', 21, 11)}, ${created('c', 22)};
      insert into explorer_tasks (chain_id, n, list_block, list_seq, created_block, created_at,
        policy_id_n, policy_address_n, off_n, updated_at, id, sender, client, policy_id,
        policy_address) values
        ${row('a', 1, '20', true, 'null')}, ${row('b', 2, '21', true, 'null')},
        ${row('c', 3, '22', false, 'null')}, ${row('1', 4, 'null', false, '1')},
        ${row('2', 5, 'null', false, '2')};
      update explorer_tasks set listed_at = 1900000 where off_n is not null;
      insert into explorer_records (chain_id, finished_at, alone, id, sender, client, error, intent)
        values ${record('1', 1_900_000, 'late')}, ${record('2', 1_900_000, 'early')};
    `),
  )

  expect(await migrate(database)).toContain(5)
  const explorer = explorerStore(database, systemClock)
  const list = async () => (await explorer.tasks(chain, { page: 1, size: 10 })).results
  const order = (['1', 'c', 'a', 'b', '2'] as const).map(id)
  expect((await list()).map((each) => each.id)).toEqual(order)
  expect(await explorer.absorbRecords(chain, 100)).toBe(3)
  const rows = await list()
  expect(rows.map((each) => each.id)).toEqual(order)
  expect(rows.map((each) => each.created_block)).toEqual([14, 13, 12, 11, 10])
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
  expect(rows.map((each) => each.task_created_at)).toEqual(
    [1_018, 1_220, 1_200, 1_210, 1_001].map(at),
  )
  expect(rows[1]).toMatchObject({ policy_id: id('e'), evaluation_result: '0x01', error: 'no gas' })
  const ofPolicy = await explorer.tasksOfPolicyId(chain, id('e'), { page: 1, size: 10 })
  expect(ofPolicy.results.map((each) => each.id)).toEqual((['c', 'a', 'b'] as const).map(id))
  const count = async (from: number, to: number) => {
    const tasks = { start: new Date(from * 1_000), end: new Date(to * 1_000) }
    return (await explorer.stats(chain, { tasks, policies: {} })).total_tasks
  }
  expect(await count(0, 2_000)).toBe(5)
  expect(await count(1_002, 1_100)).toBe(1)
  expect(await count(1_000, 1_018)).toBe(2)
  expect(await count(1_205, 1_220)).toBe(2)
})
