import type { ExplorerTaskDetail } from 'polgate-client'
import type { TaskChainEvent } from 'polgate-protocol/control/taskTrace.ts'

export type ChainStep = Omit<TaskChainEvent, 'block' | 'transaction'> & {
  readonly block: number | null
  readonly transaction: string | null
}

export const chainEventNames: Readonly<Record<TaskChainEvent['kind'], string>> = {
  created: 'Task posted',
  responded: 'Response posted',
  spent: 'Attestation spent',
  challenged: 'Challenged',
}

/** The events of a task, from the node, or else from its row of the explorer. */
export function chainSteps(
  events: readonly TaskChainEvent[],
  row: ExplorerTaskDetail | undefined,
): readonly ChainStep[] {
  if (events.length > 0 || row === undefined) return events
  const step = (
    kind: ChainStep['kind'],
    at: string | null,
    transaction: string | null,
    block: number | null = null,
    facts: ChainStep['facts'] = {},
  ): readonly ChainStep[] => (at === null ? [] : [{ kind, at, transaction, block, facts }])
  const certificate = row.task_responded_metadata
  return [
    ...step('created', row.task_created_at, row.created_txn_hash),
    ...step(
      'responded',
      row.task_responded_at,
      row.responded_txn_hash,
      certificate?.responded_block ?? null,
    ),
    ...step('spent', row.attestation_spent_at, row.spent_txn_hash),
    ...step('challenged', row.task_challenged_at, row.challenged_txn_hash, null, {
      successful: String(row.challenge_result === 'success'),
    }),
  ]
}
