import { eventOf } from 'polgate-chain/events.ts'
import type { RawLog } from 'polgate-chain/logs.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { TaskChainEvent } from 'polgate-protocol/control/taskTrace.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'

export type ReadTaskEvents = (
  taskId: Bytes32,
  fromBlock: number,
) => Promise<readonly TaskChainEvent[]>

type NodeLog = {
  readonly address: Address
  readonly topics: readonly Bytes32[]
  readonly data: `0x${string}`
  readonly blockNumber: string
  readonly blockHash: Bytes32
  readonly logIndex: string
  readonly transactionHash: Bytes32
}

/** Reads the events of a task from the node: posting, spending, challenge. @throws Error of the node */
export const taskEventsOf =
  ({
    rpcUrl,
    taskManager,
  }: {
    readonly rpcUrl: string
    readonly taskManager: Address
  }): ReadTaskEvents =>
  async (taskId, fromBlock) => {
    const filter = {
      address: taskManager,
      fromBlock: `0x${fromBlock.toString(16)}`,
      toBlock: 'latest',
      topics: [null, taskId],
    }
    const logs = (await chainRpc(rpcUrl, 'eth_getLogs', [filter])) as readonly NodeLog[]
    const times = new Map<string, string | null>()
    for (const { blockNumber } of logs) {
      if (times.has(blockNumber)) continue
      const block = await chainRpc(rpcUrl, 'eth_getBlockByNumber', [blockNumber, false])
      const seconds = Number((block as { readonly timestamp?: string } | null)?.timestamp)
      times.set(
        blockNumber,
        Number.isFinite(seconds) ? new Date(seconds * 1_000).toISOString() : null,
      )
    }
    return logs.flatMap((log) => shown(log, taskManager, times.get(log.blockNumber) ?? null))
  }

function shown(log: NodeLog, taskManager: Address, at: string | null): readonly TaskChainEvent[] {
  const raw: RawLog = {
    ...log,
    address: log.address.toLowerCase() as Address,
    blockNumber: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
    timestamp: undefined,
  }
  const event = eventOf(raw, { taskManager, policyFactory: '0x' })
  if (event === undefined || event.kind === 'policyDeployed') return []
  const facts: Readonly<Record<string, string>> =
    event.kind === 'spent'
      ? { client: event.policyClient, allowed: String(event.allowed) }
      : event.kind === 'challenged'
        ? { challenger: event.challenger, successful: String(event.successful) }
        : {}
  const { blockNumber: block, transactionHash: transaction } = event
  return [{ kind: event.kind, block, transaction, at, facts }]
}
