import { counts, type TaskEvent, type TaskEventKind } from './taskEvents.ts'

/** A gateway's record of a task, as far as its row needs it. Hex is bare. */
export type GatewayRecord = {
  readonly id: string
  /** The task has a row even without any event on chain. */
  readonly alone: boolean
  /** The block that the task names; null when it ended before it had one. */
  readonly createdBlock: number | null
  /** When the gateway admitted the task, unix milliseconds. */
  readonly admittedAt: number
  readonly sender: string
  readonly client: string
  readonly policyId: string | null
  readonly policyAddress: string | null
  readonly evaluationResult: string | null
  readonly error: string | null
  readonly postingError: string | null
  /** JSON text. */
  readonly operatorErrors: string | null
}

/** The shown facts of a task, without its list positions. Times in unix seconds, hex is bare. */
export type TaskFacts = {
  readonly id: string
  readonly sender: string
  readonly client: string
  /** The block that the task names. */
  readonly createdBlock: number | null
  /** The block of its creation on chain, and that block's time. */
  readonly postedBlock: number | null
  readonly createdAt: number | null
  /** For a task without such a block: when a gateway admitted it, unix milliseconds. */
  readonly admittedAt: number | null
  readonly respondedAt: number | null
  readonly spentAt: number | null
  readonly challengedAt: number | null
  readonly challengeSuccess: boolean | null
  readonly policyId: string | null
  readonly policyAddress: string | null
  readonly evaluationResult: string | null
  readonly certificate: string | null
  readonly error: string | null
  readonly operatorErrors: string | null
}

type Counting = Partial<Record<TaskEventKind, TaskEvent>>

export function countingEvents(events: readonly TaskEvent[]): Counting {
  const counting: Counting = {}
  for (const event of events) {
    const other = counting[event.kind]
    counting[event.kind] = other === undefined ? event : counts(other, event)
  }
  return counting
}

/**
 * The row of a task (section 2.9). Each member comes from the chain, else from a gateway's record
 * (decision X4), whichever arrived first; null while neither has it. Undefined while the sender is
 * unknown, and while the task is expected on chain but has not been seen there.
 */
export function projectTask(
  id: string,
  events: Counting,
  record: GatewayRecord | undefined,
): TaskFacts | undefined {
  const { created, responded, spent, challenged } = events
  const onChain = (created ?? responded ?? spent ?? challenged) !== undefined
  if (created === undefined && (record === undefined || !(record.alone || onChain)))
    return undefined
  return {
    id,
    sender: created?.party ?? (record?.sender as string),
    client: created?.client ?? (record?.client as string),
    createdBlock: created?.taskBlock ?? responded?.taskBlock ?? record?.createdBlock ?? null,
    postedBlock: created?.block ?? null,
    createdAt: created?.at ?? null,
    admittedAt: created === undefined ? (record?.admittedAt ?? null) : null,
    respondedAt: responded?.at ?? null,
    spentAt: spent?.at ?? null,
    challengedAt: challenged?.at ?? null,
    challengeSuccess: challenged?.flag ?? null,
    policyId: responded?.policyId ?? record?.policyId ?? null,
    policyAddress: responded?.party ?? record?.policyAddress ?? null,
    evaluationResult: responded?.evaluationResult ?? record?.evaluationResult ?? null,
    certificate: responded?.certificate ?? null,
    error: record?.error ?? (responded === undefined ? (record?.postingError ?? null) : null),
    operatorErrors: record?.operatorErrors ?? null,
  }
}
