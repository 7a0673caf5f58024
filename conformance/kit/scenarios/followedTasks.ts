import { TooLate } from '../../core/conformanceError.ts'
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

/** One task followed to its success, shared by all checks of its updates. */
export const followedTask = (t: CheckContext) =>
  t.once('followed task', () => followTask(t, taskParams(t)))

/** One seen in progress: a subscriber may miss the updates of a fast task. */
export const liveTask = (t: CheckContext) =>
  t.once('live task', async () => {
    for (let attempt = 0; attempt < 8; attempt++) {
      const followed = await followTask(t, taskParams(t))
      if (followed.updates.length > 2) return followed
    }
    throw new TooLate('no subscriber received more than the end of a task')
  })

/** One followed to its failure. */
export const failedTask = (t: CheckContext) =>
  t.once('followed failure', () => followTask(t, taskParams(t, fixture.trapping)))

/** A finished task of the read key: any number of connections may subscribe to it. */
export const endedTask = async (t: CheckContext) => String((await acceptedTask(t)).result.task_id)

/** The result in the last update of a task: the same as createTask would return (an open point). */
export async function resultOfTask(t: CheckContext, params: unknown): Promise<JsonObject> {
  const { end } = await followTask(t, params)
  const { result } = dataOf(end)
  return isObject(result) ? result : {}
}
