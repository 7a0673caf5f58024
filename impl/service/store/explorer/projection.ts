import { counts, type TaskEvent, type TaskEventKind } from './taskEvents.ts'

/** What a gateway recorded of a task, as far as its row needs it. Hex is bare. */
export type GatewayRecord = {
  readonly id: string
  /** It has a row without any event on the chain. */
  readonly alone: boolean
  /** The block that the task names, null where it ended before it had one. */
  readonly createdBlock: number | null
  /** When a gateway took it in, unix milliseconds. */
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

/** What is shown of a task, but for its places in lists. Times in unix seconds, hex is bare. */
export type TaskFacts = {
  readonly id: string
  readonly sender: string
  readonly client: string
  /** The block that the task names. */
  readonly createdBlock: number | null
  /** The block of its creation on the chain, and that block's time. */
  readonly postedBlock: number | null
  readonly createdAt: number | null
  /** Of a task without such a block: when a gateway took it in, unix milliseconds. */
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

export const countingEvents = (events: readonly TaskEvent[]): Counting => {
  const counting: Counting = {}
  for (const event of events) {
    const other = counting[event.kind]
    counting[event.kind] = other === undefined ? event : counts(other, event)
  }
  return counting
}

/**
 * The row of a task (section 2.9). Each member is what the chain says, else what a gateway recorded
 * (decision X4), whichever came first; null while neither knows it. Undefined while nobody knows who
 * sent the task, and while it may yet reach the chain and has not.
 */
export const projectTask = (
  id: string,
  events: Counting,
  record: GatewayRecord | undefined,
): TaskFacts | undefined => {
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
