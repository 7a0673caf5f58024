import type { ExplorerPolicy, TaskDetail } from 'polgate-protocol/explorer.ts'
import type { ChainEvent, IndexedBlock } from './chainEvent.ts'
import type { Unnamed } from './explorerQueries.ts'
import type { EndedTask } from './records.ts'

type Detail = Unnamed<TaskDetail>
type Row = { readonly detail: Detail }
type Batch = {
  readonly from: number
  readonly to: number
  readonly blocks: readonly IndexedBlock[]
  readonly events: readonly ChainEvent[]
}
/** Records that the explorer has not read yet. */
type Waiting = ReadonlyMap<string, EndedTask>
type Place = {
  readonly created: number | null
  readonly block: number
  readonly seq: number
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const earlier = (a: ChainEvent, b: ChainEvent) =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex

/**
 * A reference model of the explorer: it stores everything and recomputes all rows and lists for
 * every query.
 */
export function naiveExplorer() {
  let events: ChainEvent[] = []
  let blocks: IndexedBlock[] = []
  let next: number | undefined
  let passes = 0
  const records = new Map<string, EndedTask>()
  let places = new Map<string, Place>()
  let policyOf = new Map<string, string | null>()
  /** Rows have left a list or moved within one since then. */
  let unrest = 0

  const timeOf = (number: number) =>
    (blocks.find((block) => block.number === number) as IndexedBlock).timestamp

  const rowOf = (id: string): Row | undefined => {
    const own = events.filter((event) => 'taskId' in event && event.taskId === id).sort(earlier)
    const first = <K extends ChainEvent['kind']>(kind: K) =>
      own.find((event) => event.kind === kind) as Extract<ChainEvent, { kind: K }> | undefined
    const [created, responded, spent] = [first('created'), first('responded'), first('spent')]
    const challenges = own.filter((event) => event.kind === 'challenged')
    const challenged = challenges.findLast(({ successful }) => successful) ?? challenges.at(-1)
    const record = records.get(id)
    const posted = record?.status === 'success' && record.posting !== null
    const ended = record !== undefined && !(posted && record.posting !== 'failed')
    if (created === undefined && (record === undefined || (own.length === 0 && !ended)))
      return undefined
    const response = record?.result?.task_response
    const intent = (record?.request as { intent: Record<string, string> } | undefined)?.intent
    const at = (event: ChainEvent | undefined) =>
      event === undefined ? null : iso(timeOf(event.blockNumber))
    const named = (event: typeof responded) =>
      event === undefined ? undefined : (event.certificate.reference_block as number)
    const recorded = record?.result?.task?.taskCreatedBlock || null
    const outcome = challenged?.successful ? 'success' : 'unsuccessful'
    const error =
      record?.error ??
      (record?.posting === 'failed' && responded === undefined ? record.postingError : null)
    return {
      detail: {
        id: id as Detail['id'],
        sender_address: created?.sender ?? (intent?.from as Detail['sender_address']),
        policy_client_address:
          created?.policyClient ?? (record?.policyClient as Detail['policy_client_address']),
        policy_id: (responded?.policyId ??
          response?.policy_id ??
          record?.policyId ??
          null) as Detail['policy_id'],
        policy_address: (responded?.policyAddress ??
          response?.policy_address ??
          record?.policyAddress ??
          null) as Detail['policy_address'],
        evaluation_result:
          responded?.evaluationResult ??
          (response && `0x${Buffer.from(response.evaluation_result).toString('hex')}`) ??
          null,
        error,
        operator_errors: record?.operatorErrors ? [...record.operatorErrors] : null,
        created_block: created?.createdBlock ?? named(responded) ?? recorded,
        task_created_at: at(created) ?? (record?.createdAt.toISOString() as string),
        task_responded_at: at(responded),
        attestation_spent_at: at(spent),
        task_challenged_at: at(challenged),
        challenge_result: challenged ? outcome : responded ? 'unchallenged' : null,
        task_responded_metadata: (responded?.certificate ??
          null) as Detail['task_responded_metadata'],
        updated_at: '',
        intent: created?.intent ?? {
          from: intent?.from,
          chainId: Number(intent?.chain_id),
          functionSignature: intent?.function_signature,
        },
        policy_config: responded?.policyConfig ?? response?.policy_config ?? null,
        policy_task_data: responded?.policyTaskData ?? response?.policy_task_data ?? null,
        created_txn_hash: created?.transactionHash ?? null,
        responded_txn_hash: responded?.transactionHash ?? null,
        challenged_txn_hash: challenged?.transactionHash ?? null,
        spent_txn_hash: spent?.transactionHash ?? null,
      },
    }
  }

  const rows = () => {
    const ids = new Set(events.flatMap((event) => ('taskId' in event ? [event.taskId] : [])))
    for (const id of records.keys()) ids.add(id as Detail['id'])
    return new Map(
      [...ids].flatMap((id) => {
        const row = rowOf(id)
        return row === undefined ? [] : [[id as string, row] as const]
      }),
    )
  }

  /** A row with an unknown block is listed above the block that was read last. */
  const place = (head: number) => {
    const old = places
    const oldPolicies = policyOf
    places = new Map()
    policyOf = new Map()
    passes += 1
    const all = rows()
    for (const [id, row] of all) {
      const created = row.detail.created_block
      const before = old.get(id)
      const policy = row.detail.policy_id
      policyOf.set(id, policy)
      if ((oldPolicies.get(id) ?? policy) !== policy) unrest += 1
      if (before !== undefined && before.created !== created) unrest += 1
      if (created !== null) places.set(id, { created, block: created, seq: 0 })
      else if (before !== undefined && before.created === null) places.set(id, before)
      else places.set(id, { created: null, block: head, seq: passes })
    }
    for (const id of old.keys()) if (!all.has(id)) unrest += 1
  }

  /** For tasks with incomplete events the record is looked up, even if it has not been read yet. */
  const peek = (ids: readonly string[], waiting: Waiting) => {
    for (const id of ids) {
      const own = events.filter((event) => 'taskId' in event && event.taskId === id)
      const record = waiting.get(id)
      const kinds = new Set(own.map(({ kind }) => kind))
      if (record && own.length > 0 && !(kinds.has('created') && kinds.has('responded')))
        records.set(id, record)
    }
  }

  const list = (): Detail[] => {
    const at = (detail: Detail) => places.get(detail.id) as Place
    return [...rows().values()]
      .map(({ detail }) => detail)
      .sort((a, b) => at(b).block - at(a).block || at(b).seq - at(a).seq || (a.id < b.id ? 1 : -1))
  }

  const policies = (): Unnamed<ExplorerPolicy>[] => {
    const byAddress = new Map<string, Extract<ChainEvent, { kind: 'policyDeployed' }>>()
    for (const event of [...events].sort(earlier))
      if (event.kind === 'policyDeployed' && !byAddress.has(event.policy))
        byAddress.set(event.policy, event)
    return [...byAddress.values()]
      .sort((a, b) => b.blockNumber - a.blockNumber || (a.policy < b.policy ? 1 : -1))
      .map((event) => ({
        address: event.policy,
        name: null,
        version: null,
        author: null,
        description: null,
        verified: null,
        policy_info: event.info as Unnamed<ExplorerPolicy>['policy_info'],
        deployed_txn_hash: event.transactionHash,
        policy_deployed_at: iso(timeOf(event.blockNumber)),
      }))
  }

  return {
    next: () => next,
    unrest: () => unrest,
    append(batch: Batch, waiting: Waiting) {
      const touched = batch.events.flatMap((event) => ('taskId' in event ? [event.taskId] : []))
      events.push(...batch.events)
      peek(touched, waiting)
      blocks.push(...batch.blocks)
      next = batch.to + 1
      place(batch.to)
    },
    rollBack(from: number, waiting: Waiting) {
      if (next === undefined || next <= from) return
      unrest += 1
      const touched = events.flatMap((event) =>
        'taskId' in event && event.blockNumber >= from ? [event.taskId] : [],
      )
      events = events.filter(({ blockNumber }) => blockNumber < from)
      blocks = blocks.filter(({ number }) => number < from)
      next = from
      peek(touched, waiting)
      place(from - 1)
    },
    absorb(tasks: readonly EndedTask[]) {
      if (next === undefined) return
      for (const task of tasks) records.set(task.id, task)
      place(next - 1)
    },
    list,
    policies,
    /** Both ends included; milliseconds. */
    stats(start: number, end: number) {
      const within = (time: number) => time >= start && time <= end
      return {
        total_tasks: list().filter(({ task_created_at }) =>
          within(Date.parse(task_created_at as string)),
        ).length,
        total_policies: policies().filter(({ policy_deployed_at }) =>
          within(Date.parse(policy_deployed_at as string)),
        ).length,
      }
    },
  }
}
