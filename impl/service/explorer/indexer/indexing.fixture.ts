import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import type { Protocol } from 'polgate-chain/deploy.ts'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import type { TaskDetail } from 'polgate-protocol/explorer.ts'
import { type Address, type Hex, type PublicClient, parseEventLogs, type RpcLog } from 'viem'
import type { Store } from '../../store/openStore.ts'
import type { FollowedNetwork } from './followedNetwork.ts'
import type { IndexerDeps } from './indexer.ts'

/** A chain with deployed contracts. */
type Deployed = { readonly anvil: RunningAnvil; readonly protocol: Protocol }

/** The members of a row that come only from the chain. */
export type Row = Pick<
  TaskDetail,
  | 'id'
  | 'created_block'
  | 'task_created_at'
  | 'task_responded_at'
  | 'attestation_spent_at'
  | 'task_challenged_at'
  | 'challenge_result'
  | 'created_txn_hash'
  | 'responded_txn_hash'
  | 'spent_txn_hash'
  | 'challenged_txn_hash'
>

/** The rows according to the contract's logs, newest first, computed without the indexer's code. */
export async function rowsOnChain(client: PublicClient, taskManager: Address): Promise<Row[]> {
  const told = (await client.request({
    method: 'eth_getLogs',
    params: [{ address: taskManager, fromBlock: '0x0', toBlock: 'latest' }],
  })) as readonly (RpcLog & { readonly blockTimestamp: Hex })[]
  const rows = new Map<Hex, Row>()
  for (const log of told) {
    const [event] = parseEventLogs({ abi: taskManagerAbi, logs: [log as never] })
    if (event === undefined || !('taskId' in event.args)) continue
    const id = event.args.taskId
    const at = new Date(Number(log.blockTimestamp) * 1_000).toISOString()
    const hash = log.transactionHash as Hex
    const row = rows.get(id) ?? { ...nothing, id }
    rows.set(id, { ...row, ...changes(event.eventName, row, at, hash) })
    if (event.eventName === 'NewTaskCreated')
      rows.set(id, { ...(rows.get(id) as Row), created_block: event.args.task.taskCreatedBlock })
  }
  return [...rows.values()]
    .filter(({ created_block }) => created_block !== null)
    .sort((a, b) => (b.created_block ?? 0) - (a.created_block ?? 0) || (a.id < b.id ? 1 : -1))
}

const nothing: Omit<Row, 'id'> = {
  created_block: null,
  task_created_at: null,
  task_responded_at: null,
  attestation_spent_at: null,
  task_challenged_at: null,
  challenge_result: null,
  created_txn_hash: null,
  responded_txn_hash: null,
  spent_txn_hash: null,
  challenged_txn_hash: null,
}

function changes(name: string, row: Row, at: string, hash: Hex): Partial<Row> {
  switch (name) {
    case 'NewTaskCreated':
      return { task_created_at: at, created_txn_hash: hash }
    case 'TaskResponded':
      return {
        task_responded_at: at,
        responded_txn_hash: hash,
        challenge_result: row.challenge_result ?? 'unchallenged',
      }
    case 'AttestationSpent':
      return { attestation_spent_at: at, spent_txn_hash: hash }
    case 'TaskChallengedSuccessfully':
    case 'TaskChallengedUnsuccessfully':
      return row.challenge_result === 'success'
        ? {}
        : {
            task_challenged_at: at,
            challenged_txn_hash: hash,
            challenge_result: name === 'TaskChallengedSuccessfully' ? 'success' : 'unsuccessful',
          }
    default:
      return {}
  }
}

/** The rows from the explorer's queries, all pages joined. */
export async function rowsShown(store: Store, chainId: number): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { results, total } = await store.explorer.tasks(chainId, { page, size: 7 })
    for (const { id } of results) {
      const detail = await store.explorer.task(chainId, id)
      if (detail === undefined) throw new Error(`${id} is listed but missing`)
      const members = Object.keys(nothing) as (keyof typeof nothing)[]
      rows.push({ id, ...Object.fromEntries(members.map((key) => [key, detail[key]])) } as Row)
    }
    if (results.length === 0) {
      if (rows.length !== total)
        throw new Error(`total is ${total}, but ${rows.length} rows are listed`)
      return rows
    }
  }
}

export const networkOf = (
  { protocol }: Pick<Deployed, 'protocol'>,
  more: Partial<FollowedNetwork> = {},
): FollowedNetwork => ({
  chainId: 31_337,
  taskManager: protocol.taskManager,
  policyFactory: protocol.policyFactory,
  startBlock: 0,
  batchBlocks: 2_000,
  pollMs: 20,
  ...more,
})

export const silent = { info: () => {}, warn: () => {} }

export type IndexerChanges = Partial<IndexerDeps> & {
  readonly fetch?: typeof fetch
  /** Timeout of a request, milliseconds. */
  readonly timeout?: number
}

/** Dependencies of an indexer on a store and a chain. */
export function indexerDeps(world: Deployed, store: Store, more: IndexerChanges = {}): IndexerDeps {
  const { fetch, timeout, ...parts } = more
  return {
    index: store.explorer,
    leases: store.leases,
    client: createChainClient({
      rpcUrl: world.anvil.url,
      ...(fetch && { fetch }),
      ...(timeout && { timeout }),
    }),
    network: networkOf(world),
    holder: 'test',
    clock: systemClock,
    log: silent,
    ...parts,
  }
}

/** Calls a method of Anvil. */
export const anvilCall = (
  { anvil }: Pick<Deployed, 'anvil'>,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> =>
  createChainClient({ rpcUrl: anvil.url, timeout: 60_000 }).request({ method, params } as never)

/**
 * The same chain with a new transactor: after a reorganisation the account's nonce is read again.
 */
export async function afterReorganisation<
  World extends Pick<Deployed, 'anvil'> & { readonly transactor: Transactor },
>(world: World): Promise<World> {
  const { account } = world.transactor
  return { ...world, transactor: await createTransactor({ rpcUrl: world.anvil.url, account }) }
}

let records = 0

/** Inserts a gateway's record of a task that ended before it reached the chain. */
export async function recordFailedTask(
  store: Store,
  { chainId, error }: { readonly chainId: number; readonly error: string },
): Promise<Hex> {
  records += 1
  const id: Hex = `0x${records.toString(16).padStart(64, '0')}`
  const address = `0x${'ab'.repeat(20)}`
  const intent = {
    from: address,
    to: address,
    value: '0x0',
    data: '0x',
    chain_id: '0x7a69',
    function_signature: '0x',
  }
  await store.database.query(
    `insert into tasks (id, policy_client, intent_hash, nonce, status, method, api_key_id, request,
       deadline, created_at, updated_at, finished_at, error, chain_id)
     values ($1, $2, $1, 0, 'failed', 'createTask', 'key', $3, now(), now(), now(), now(), $4, $5)`,
    [id, address, JSON.stringify({ intent }), error, chainId],
  )
  return id
}
