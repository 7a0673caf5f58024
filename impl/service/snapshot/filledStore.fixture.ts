import type { Database } from '../store/database.ts'
import type { Store } from '../store/openStore.ts'
import { keptTables } from './catalog.ts'

const client = `0x${'aa'.repeat(20)}` as const
const id = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const

/** Values that an inexact copy would change: numbers, texts, bytes, times, nulls. */
export async function fillStore(store: Store, tasks = 20): Promise<{ readonly key: string }> {
  const { database, apiKeys, secrets, webhooks } = store
  const { key, record } = await apiKeys.create({
    name: 'näme "quoted", \\ {braces}',
    permissions: ['rpc', 'admin'],
    owners: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    expiresAt: new Date('2999-12-31T23:59:59.999Z'),
  })
  await secrets.put(
    { policyClient: client, policyDataAddress: client },
    '{ "enc" : "é",\n"x":1.0 }',
  )
  const sealed = { chain_id: 1, policy_client: client, recipient_pubkey: 'ab'.repeat(32) }
  await secrets.put(
    { policyClient: client, policyDataAddress: `0x${'bb'.repeat(20)}` },
    JSON.stringify({ ...sealed, enc: 'cd'.repeat(32), ciphertext: 'ef'.repeat(40) }),
  )
  await webhooks.put({
    apiKeyId: record.id,
    url: 'https://example.com/hook',
    sealedSecret: new Uint8Array([0, 255, 92, 120, 1]),
    timeoutSeconds: 0.1,
    maxRetries: 3,
    failureTypes: ['timeout'],
  })
  for (let n = 0; n < tasks; n++) {
    await database.query(
      `insert into tasks (id, policy_client, intent_hash, nonce, status, method, api_key_id, request,
         deadline, created_at, updated_at, finished_at, result, error, posting)
       values ($1, $2, $3, 0, $4, 'createTask', $5, $6, now(), clock_timestamp(),
         clock_timestamp(), $7, $8, $9, $10)`,
      [
        ...[id(n), client, id(n + 1_000_000), n === 0 ? 'pending' : 'success', record.id],
        `{"value":"0x1",  "pad":"${'x'.repeat(n * 7)}"}`,
        n === 0 ? null : new Date(1_700_000_000_000 + n),
        n === 0 ? null : '{"wei":123456789012345678901234567890,"nul":"\\u0000","x":1.10}',
        n === 2 ? 'null\t\u2028\\\\N\r\n' : null,
        n === 3 ? 'queued' : null,
      ],
    )
  }
  await database.query(
    `insert into notifications (id, task_id, api_key_id, payload, created_at, next_attempt_at)
     values ('n-1', $1, $2, '{"a": 1}', now(), 'infinity')`,
    [id(1), record.id],
  )
  await database.query(
    `insert into explorer_cursors (chain_id, next_block, updated_at) values (31337, $1, now())`,
    [Number.MAX_SAFE_INTEGER],
  )
  return { key }
}

/** Every saved row by table; rows are equal if their texts are. */
export async function allRows(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, quoted, columns } of await keptTables(database)) {
    // Times are compared in one time zone, whatever the engine's.
    const values = columns.map((column) =>
      column.type === 'timestamp with time zone'
        ? `to_json(${column.quoted} at time zone 'UTC')`
        : `to_json(${column.quoted}::text)`,
    )
    const rows = await database.query<{ row: string }>(
      `select json_build_array(${values.join(', ')})::text as row from ${quoted} order by 1`,
    )
    found[name] = rows.map(({ row }) => row)
  }
  return found
}
