import fc from 'fast-check'
import type { CheckContext } from '../../core/context.ts'
import { expectEqual, isObject, type JsonObject } from '../../core/expect.ts'
import { hasAttestation } from '../../crypto/attestation.ts'
import { isRequired } from '../../kit/assertions/observed.ts'
import { fixture } from '../../kit/scenarios/fixtures.ts'
import {
  createTask,
  failureOf,
  resultOf,
  senderOf,
  transferIntent,
  unlistedRecipient,
} from '../../kit/scenarios/requests.ts'
import { dataOf, expectSent, isRefusal, sendTask } from '../../kit/scenarios/updates.ts'
import { expectDeliveries } from '../../kit/scenarios/webhooks.ts'
import { answered, follow, openFollower, receivedEnd } from '../follower.ts'
import {
  endingOf,
  everybody,
  type Model,
  type Side,
  sentTo,
  type TaskKind,
  usualThreshold,
} from '../state.ts'
import type { StepOptions } from '../step.ts'
import { type Holder, type Surfaces, tell } from '../surfaces.ts'

const paramsOf = (t: CheckContext, { client }: Surfaces, kind: TaskKind) => ({
  policy_client: kind === 'traps' ? t.client(fixture.trapping).policyClient : client,
  intent: transferIntent(t, kind === 'denies' ? { to: unlistedRecipient } : {}),
  quorum_threshold_percentage: kind === 'requires every operator' ? 100 : usualThreshold,
})

const short = (id: string) => `${id.slice(0, 10)}…`

function predict(model: Model, by: Side, kind: TaskKind, way: 'created' | 'sent') {
  const ending = endingOf(model, kind)
  model.tasks.push({ by, kind, way, ending, hooked: model.keys[by].webhook, following: 'never' })
  return ending
}

/** What an update contains of the result of createTask: the rest is open. */
function attestedIn(result: unknown): JsonObject {
  if (!isObject(result)) return {}
  const { reference_block, expiration, aggregation_response } = result
  const isWhole = typeof reference_block === 'number' && typeof expiration === 'number'
  return isWhole && hasAttestation(result) ? result : { aggregation_response }
}

/** Waits until every sent task has ended on the connection that follows them all. */
async function ended(surfaces: Surfaces): Promise<void> {
  for (const task of surfaces.tasks) {
    if (task.result !== undefined) continue
    const { witness, former } = surfaces.holders[task.by]
    const followers = [witness, ...former]
    const follower = followers.find(({ asked }) => asked.has(task.taskId)) ?? witness
    const end = await receivedEnd(follower, task.taskId)
    const { status, result } = dataOf(end)
    task.result = { ...attestedIn(result), status }
    tell(surfaces, `${short(task.taskId)} ends: ${String(status)}`)
  }
}

/** The same, and until every webhook has received its notifications. */
export async function settle(model: Model, surfaces: Surfaces): Promise<void> {
  await ended(surfaces)
  for (const who of everybody) {
    const { box } = surfaces.holders[who]
    const failed = sentTo(model, who)
    if (box === undefined || failed.length === 0) continue
    await expectDeliveries(box, failed.length)
  }
}

/**
 * The witness follows a task. The limit of subscriptions is open: where it refuses a further one, or may
 * have, because it does not answer, another connection follows the task.
 */
async function witnessed(t: CheckContext, holder: Holder, taskId: string): Promise<void> {
  const { witness } = holder
  if (!witness.silent) {
    const following = follow(t, witness, taskId)
    if (isRequired(t, 'several-subscriptions')) return
    const answer = await answered(witness, following)
    witness.silent = answer === undefined
    if (!isRefusal(answer)) return
    witness.asked.delete(taskId)
  }
  const another = await openFollower(t, holder.key)
  holder.former.push(another)
  follow(t, another, taskId)
}

/** Section 4.2: the response comes with the end, and matches the model. */
const creates = (by: Side, kind: TaskKind): StepOptions => ({
  text: `${by}: createTask that ${kind}`,
  holds: ({ keys }) => keys[by].live,
  act: async (model, surfaces) => {
    const { t } = surfaces
    const params = {
      ...paramsOf(t, surfaces, kind),
      include_validate_calldata: true,
      ...(kind === 'has no time' ? { timeout: 0.001 } : {}),
    }
    const ending = predict(model, by, kind, 'created')
    const answer = await createTask(t, params, { key: surfaces.holders[by].key })
    const result = resultOf(answer)
    const id = isObject(result) ? result.task_id : undefined
    const taskId = typeof id === 'string' ? id.toLowerCase() : ''
    surfaces.tasks.push({
      taskId,
      by,
      result: isObject(result) ? result : {},
      sender: senderOf(t),
      row: undefined,
      settled: false,
    })
    const failure = failureOf(answer)
    tell(surfaces, `RPC: ${failure ?? 'success'}${taskId === '' ? '' : `, ${short(taskId)}`}`)
    expectEqual(failure !== undefined, ending === 'failed', `whether "${kind}" fails (${failure})`)
  },
})

/**
 * Section 4.3: the response comes immediately; the witness receives the end, whatever happens next.
 */
const sends = (by: Side, kind: TaskKind, followed: boolean): StepOptions => ({
  text: `${by}: sendTask that ${kind}${followed ? ', followed on both connections' : ''}`,
  holds: ({ keys }) => keys[by].live,
  act: async (model, surfaces) => {
    const { t, holders } = surfaces
    predict(model, by, kind, 'sent')
    const answer = await sendTask(t, paramsOf(t, surfaces, kind), { key: holders[by].key })
    const taskId = expectSent(answer).toLowerCase()
    await witnessed(t, holders[by], taskId)
    if (followed) {
      follow(t, holders[by].reader, taskId)
      model.tasks.at(-1)!.following = 'yes'
    }
    surfaces.tasks.push({
      taskId,
      by,
      result: undefined,
      sender: senderOf(t),
      row: undefined,
      settled: false,
    })
    tell(surfaces, `RPC: sent, ${short(taskId)}`)
  },
})

const who = fc.constantFrom(...everybody)

/** Tasks that are awaited. */
export const creations = (kinds: readonly TaskKind[]): fc.Arbitrary<StepOptions> =>
  fc.tuple(who, fc.constantFrom(...kinds)).map(([by, kind]) => creates(by, kind))

/** Tasks that are not: later steps run concurrently. */
export const submissions = (kinds: readonly TaskKind[]): fc.Arbitrary<StepOptions> =>
  fc
    .tuple(who, fc.constantFrom(...kinds.filter((kind) => kind !== 'has no time')), fc.boolean())
    .map(([by, kind, followed]) => sends(by, kind, followed))
