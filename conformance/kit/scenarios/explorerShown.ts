import type { Answer } from '../../core/answer.ts'
import { NotInTime } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import type { KeyName, OwnKey } from '../../core/exchange.ts'
import { isObject, type JsonObject, show } from '../../core/expect.ts'
import { shownAnswer } from '../assertions/shownAnswer.ts'
import { ask, askPolicy, askTask, expectFound } from './explorer.ts'
import { acceptedList } from './explorerLists.ts'
import { pause } from './pause.ts'

const isAnswer = (value: unknown): value is Answer => isObject(value) && 'exchange' in value

/** Default lag of the explorer, where the chain mines on demand. */
const usualLagMs = 60_000
/** Results wait for earlier ones: a gateway posts a limited number in each block. */
export const blocksOfQueue = 20

/** How long the result of a task may take until it is on chain and in the explorer, milliseconds. */
const lagMs = ({ target: { explorerLagSeconds }, patienceMs }: CheckContext): number =>
  explorerLagSeconds === undefined
    ? patienceMs(usualLagMs, blocksOfQueue)
    : patienceMs(explorerLagSeconds * 1000)

/**
 * Polls until the result is accepted: the explorer may lag behind the chain by as much as the
 * target declares, and a few blocks. `what` is a noun phrase.
 */
export async function until<T>(
  t: CheckContext,
  what: string,
  question: () => Promise<T>,
  done: (value: T) => boolean,
): Promise<T> {
  const ms = lagMs(t)
  const deadline = performance.now() + ms
  for (let wait = 50; ; wait = Math.min(wait * 1.5, 1_000)) {
    const value = await question()
    if (done(value)) return value
    if (performance.now() > deadline)
      throw new NotInTime(`${what} did not appear`, {
        expected: `within ${Math.round(ms / 1000)} s`,
        observed: isAnswer(value) ? shownAnswer(value) : show(value),
      })
    await pause(wait)
  }
}

/** Waits until the explorer knows a new key: how soon that is, is open (clause 5.6-14). */
export async function expectKnownKey(t: CheckContext, key: KeyName | OwnKey): Promise<void> {
  await until(
    t,
    'the new key in the explorer',
    () => ask(t, '/task', { key }),
    ({ status }) => status !== 401,
  )
}

/** 404 and an unfinished row are retried; any other response is returned. */
const unless =
  (done: (row: JsonObject) => boolean) =>
  ({ status, json }: Answer): boolean =>
    status !== 404 && (status !== 200 || !isObject(json) || done(json))

/**
 * Waits until the explorer shows the task in the expected state. Fails immediately if it is not an
 * explorer.
 */
export async function shownTask(
  t: CheckContext,
  id: unknown,
  what = 'the task in the explorer',
  done: (detail: JsonObject) => boolean = () => true,
): Promise<JsonObject> {
  await acceptedList(t)
  const answer = await until(t, what, () => askTask(t, id), unless(done))
  return expectFound(answer)
}

export async function shownPolicy(
  t: CheckContext,
  address: unknown,
  done: (policy: JsonObject) => boolean = () => true,
): Promise<JsonObject> {
  const what = 'the policy in the explorer'
  await acceptedList(t)
  const answer = await until(t, what, () => askPolicy(t, address), unless(done))
  return expectFound(answer)
}
