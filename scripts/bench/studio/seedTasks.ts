import type { Database } from 'polgate-service/store/database.ts'

/**
 * Inserts ended tasks of one client, half of them with a decision, the others failed and notified; with what the
 * explorer knows of them, as if they had been indexed. No two began at the same time.
 *
 * @param given.from how many there are already
 */
export async function seedTasks(
  database: Database,
  given: {
    readonly client: string
    readonly chainId: number
    readonly from: number
    readonly count: number
  },
): Promise<void> {
  const { client, chainId, from, count } = given
  const numbers = `generate_series(${from + 1}, ${from + count}) n`
  const id = `'0x' || lpad(to_hex(n), 64, '0')`
  const at = `timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second'`
  const request = JSON.stringify({
    policy_client: client,
    intent: {
      ...{ from: client, to: client, value: '0x1', data: `0x${'ab'.repeat(68)}` },
      ...{ chain_id: `0x${chainId.toString(16)}`, function_signature: '0x' },
    },
  })
  await database.query(
    `insert into tasks (id, policy_client, intent_hash, nonce, status, method, api_key_id, request,
       deadline, created_at, updated_at, finished_at, explored_at, error, result, chain_id)
     select ${id}, $1, ${id}, 0, case n % 2 when 0 then 'success' else 'failed' end,
       'createTask', 'bench', $2::json, ${at}, ${at}, ${at}, ${at}, ${at},
       case n % 2 when 0 then null else 'Quorum not reached' end, '{"status":"failed"}'::json, $3
     from ${numbers}`,
    [client.toLowerCase(), request, chainId],
  )
  await database.query(
    `insert into explorer_tasks (chain_id, n, off_n, list_block, list_seq, admitted_at, updated_at,
       id, sender, client, evaluation_result, error)
     select $1, n, n, 0, n, n, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), $2::bytea, $2::bytea,
       case n % 2 when 0 then decode(lpad(to_hex((n / 2) % 2), 64, '0'), 'hex') end,
       case n % 2 when 0 then null else 'Quorum not reached' end
     from ${numbers}`,
    [chainId, Buffer.from(client.slice(2), 'hex')],
  )
  await database.query(
    `insert into notifications (id, task_id, api_key_id, payload, created_at, next_attempt_at,
       settled_at, outcome)
     select 'seeded-' || n, ${id}, 'bench', json_build_object('notification_id', 'seeded-' || n,
       'task_id', ${id}, 'failure_type', 'quorum_not_reached', 'error_message', 'Quorum not reached'),
       ${at}, ${at}, ${at}, 'unwanted'
     from ${numbers} where n % 2 = 1`,
  )
}
