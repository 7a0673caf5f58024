import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { isObject, type JsonObject } from '../../core/expect.ts'
import { fixture } from './fixtures.ts'
import { acceptedTask, taskParams } from './requests.ts'
import { sendTaskSubject } from './subjects.ts'
import { dataOf, followTask } from './updates.ts'

/** What a check needs that submits a task and follows it. */
export const followedNeeds = [...sendTaskSubject.needs, 'websocket'] as const

/** The same for one whose oracle traps. */
export const failingNeeds = [...followedNeeds, `client:${fixture.trapping}`] as const

/** One task that is followed to its success, for all checks that look at its updates. */
export const followedTask = (t: CheckContext) =>
  t.once('followed task', () => followTask(t, taskParams(t)))

/** One that is seen at work: a subscriber may come too late for what a quick task does. */
export const liveTask = (t: CheckContext) =>
  t.once('live task', async () => {
    for (let attempt = 0; attempt < 8; attempt++) {
      const followed = await followTask(t, taskParams(t))
      if (followed.updates.length > 2) return followed
    }
    throw new Untestable('no subscriber was told of more than the end of a task')
  })

/** One that is followed to its failure. */
export const failedTask = (t: CheckContext) =>
  t.once('followed failure', () => followTask(t, taskParams(t, fixture.trapping)))

/** A task of the read key that has ended: any number of connections may ask for it. */
export const endedTask = async (t: CheckContext) => String((await acceptedTask(t)).result.task_id)

/** What the last update of a task holds: as createTask would answer (decision, open in the text). */
export const resultOfTask = async (t: CheckContext, params: unknown): Promise<JsonObject> => {
  const { end } = await followTask(t, params)
  const { result } = dataOf(end)
  return isObject(result) ? result : {}
}
