import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { parseEventLogs } from 'viem'
import { expectEqual, expectThat, type JsonObject } from '../../core/expect.ts'
import { responseOfResult } from '../../crypto/attestation.ts'
import { expectCreatedBlock, momentOf, ms } from '../../kit/assertions/explorerRows.ts'
import { sameHex } from '../../kit/assertions/hex.ts'
import { askTask, expectFound } from '../../kit/scenarios/explorer.ts'
import { callAll, listPath } from '../../kit/scenarios/explorerLists.ts'
import { shownTask, until } from '../../kit/scenarios/explorerShown.ts'
import type { ModelTask } from '../state.ts'
import type { Invariant } from '../step.ts'
import { type SeenTask, type Surfaces, tell } from '../surfaces.ts'
import { isAttested } from './task.ts'

/** Section 3: null until the event, and unchanged afterwards. */
const moments = [
  'created_block',
  'task_created_at',
  'task_responded_at',
  'created_txn_hash',
  'responded_txn_hash',
  'evaluation_result',
  'policy_id',
] as const

/** Section 2.9: sequences contain no spends or challenges. */
const neverHappens = [
  'attestation_spent_at',
  'spent_txn_hash',
  'task_challenged_at',
  'challenged_txn_hash',
] as const

function expectOnward(before: JsonObject | undefined, row: JsonObject): void {
  for (const name of moments) {
    const was = before?.[name] ?? null
    if (was !== null) expectEqual(row[name], was, `${name}, which was shown before`)
  }
  for (const name of neverHappens) expectEqual(row[name], null, name)
  const [created, responded] = [row.task_created_at, row.task_responded_at]
  if (responded !== null)
    expectThat(
      ms(created) <= ms(responded),
      'task_responded_at',
      `not before ${String(created)}`,
      responded,
    )
}

const expectSame = (row: JsonObject, name: string, expected: unknown): void =>
  expectThat(sameHex(row[name], expected), `${name} in the explorer`, expected, row[name])

function expectRow(row: JsonObject, seen: SeenTask): void {
  expectSame(row, 'id', seen.taskId)
  expectSame(row, 'sender_address', seen.sender)
  const { result } = seen
  if (!isAttested(result)) return
  const response = responseOfResult(result)
  expectSame(row, 'policy_client_address', response.policyClient)
  if (row.policy_id !== null) expectSame(row, 'policy_id', response.policyId)
  if (row.evaluation_result !== null)
    expectSame(row, 'evaluation_result', response.evaluationResult)
}

/** What is shown of each task, step by step: the same task, and no event disappears. */
export const explorerGoesOnward: Invariant = async (_, surfaces) => {
  for (const seen of surfaces.tasks) {
    if (seen.taskId === '' || seen.settled) continue
    const answer = await askTask(surfaces.t, seen.taskId)
    if (answer.status === 404 && seen.row === undefined) continue
    const row = expectFound(answer)
    expectRow(row, seen)
    expectOnward(seen.row, row)
    seen.row = row
  }
}

/** The events of a task in the transactions that the explorer names, with their blocks. */
async function eventsOf({ t }: Surfaces, row: JsonObject) {
  const logsOf = async (hash: unknown) =>
    (await t.chain().getTransactionReceipt({ hash: hash as `0x${string}` })).logs
  const logs = [...(await logsOf(row.created_txn_hash)), ...(await logsOf(row.responded_txn_hash))]
  const events = parseEventLogs({ abi: taskManagerAbi, logs }).filter(
    ({ args }) => 'taskId' in args && sameHex(args.taskId, row.id),
  )
  return {
    created: events.find(({ eventName }) => eventName === 'NewTaskCreated'),
    responded: events.find(({ eventName }) => eventName === 'TaskResponded'),
  }
}

async function expectChain(
  surfaces: Surfaces,
  task: ModelTask,
  seen: SeenTask,
  row: JsonObject,
): Promise<void> {
  const { t } = surfaces
  const made = await momentOf(t, row.created_txn_hash)
  expectEqual(ms(row.task_created_at), made.at, 'task_created_at, compared with the chain')
  const answered = await momentOf(t, row.responded_txn_hash)
  expectEqual(ms(row.task_responded_at), answered.at, 'task_responded_at, compared with the chain')
  expectEqual(row.error, null, `error of a task that ${task.kind}`)
  const { created, responded } = await eventsOf(surfaces, row)
  // Another gateway's contract may emit other events.
  if (responded?.eventName !== 'TaskResponded' || created?.eventName !== 'NewTaskCreated') return
  const named = created.args.task.taskCreatedBlock
  expectCreatedBlock(t, row, { named, mined: made.block })
  if (!isAttested(seen.result)) return
  const { certificate, response } = responded.args
  expectEqual(certificate.referenceBlock, seen.result.reference_block, 'reference_block on chain')
  expectEqual(certificate.expirationBlock, seen.result.expiration, 'expiration on chain')
  expectSame(row, 'evaluation_result', response.evaluationResult)
  expectSame(row, 'policy_client_address', response.policyClient)
}

const isResponded = (row: JsonObject) => row.task_responded_at !== null

/**
 * At the end: every task is shown with its result, and the policy's list contains exactly these.
 */
export const explorerShowsAll: Invariant = async (model, surfaces) => {
  const { t, tasks } = surfaces
  const posted: SeenTask[] = []
  for (const [at, seen] of tasks.entries()) {
    const task = model.tasks[at]!
    if (task.ending === 'failed' || seen.settled) continue
    const row = await shownTask(t, seen.taskId, 'the response in the explorer', isResponded)
    expectRow(row, seen)
    expectOnward(seen.row, row)
    seen.row = row
    await expectChain(surfaces, task, seen, row)
    seen.settled = true
    posted.push(seen)
    tell(surfaces, `explorer: ${seen.taskId.slice(0, 10)}… in block ${String(row.created_block)}`)
  }
  const policyId = posted.find(({ row }) => row?.policy_id)?.row?.policy_id
  if (policyId === undefined) return
  const ids = posted.map(({ taskId }) => taskId).sort()
  // Whether a failed task is listed depends on how far it got.
  const failed = new Set(
    [...tasks.entries()]
      .filter(([at]) => model.tasks[at]!.ending === 'failed')
      .map(([, { taskId }]) => taskId.toLowerCase()),
  )
  const own = (rows: readonly JsonObject[]) =>
    rows.filter(
      ({ id, policy_client_address }) =>
        sameHex(policy_client_address, surfaces.client) && !failed.has(String(id).toLowerCase()),
    )
  const path = await listPath(t, 'id', policyId)
  const listed = own(
    await until(
      t,
      'every task in the list of its policy',
      () => callAll(t, path),
      (rows) => own(rows).length >= ids.length,
    ),
  )
  const shown = listed.map(({ id }) => String(id).toLowerCase()).sort()
  expectEqual(shown, ids, 'the tasks of the client in the list of its policy')
}
