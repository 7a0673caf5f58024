import fc from 'fast-check'
import { answered, follow, leave } from '../follower.ts'
import { everybody, type Model, type Side } from '../state.ts'
import type { StepOptions } from '../step.ts'
import { type Surfaces, tell } from '../surfaces.ts'

/** The nth of the sent tasks, modulo their number, so that shrinking needs no lists. */
function chosen(model: Model, nth: number, fits: (at: number) => boolean): number | undefined {
  const places = model.tasks.flatMap((task, at) => (task.way === 'sent' && fits(at) ? [at] : []))
  return places.length === 0 ? undefined : places[nth % places.length]
}

const unfollowed = (model: Model, nth: number) =>
  chosen(model, nth, (at) => {
    const { by, following } = model.tasks[at]!
    return following === 'never' && model.keys[by].live
  })

const followed = (model: Model, nth: number) =>
  chosen(model, nth, (at) => {
    const { by, following } = model.tasks[at]!
    return following === 'yes' && model.keys[by].live
  })

/** Section 6.1: a second connection follows a task that may have ended. */
const subscribes = (nth: number): StepOptions => ({
  text: `the second connection subscribes to task ${nth}, among those sent`,
  holds: (model) => unfollowed(model, nth) !== undefined,
  act: async (model, surfaces) => {
    const at = unfollowed(model, nth)!
    const task = surfaces.tasks[at]!
    const { reader } = surfaces.holders[task.by]
    const answer = await answered(reader, follow(surfaces.t, reader, task.taskId))
    model.tasks[at]!.following = 'yes'
    tell(surfaces, `WebSocket: ${String(answer?.type ?? 'no answer')}`)
  },
})

const unsubscribes = (nth: number): StepOptions => ({
  text: `the second connection unsubscribes from task ${nth}, among those it follows`,
  holds: (model) => followed(model, nth) !== undefined,
  act: async (model, surfaces) => {
    const at = followed(model, nth)!
    const task = surfaces.tasks[at]!
    await leave(surfaces.holders[task.by].reader, task.taskId)
    model.tasks[at]!.following = 'left'
  },
})

const other = (who: Side): Side => everybody.find((one) => one !== who)!

/** A subscription to a task of another key: the response is open, the updates are not. */
const eavesdrops = (nth: number): StepOptions => ({
  text: `a connection of the other key subscribes to task ${nth}, among those sent`,
  holds: (model) => {
    const at = chosen(model, nth, () => true)
    return at !== undefined && model.keys[other(model.tasks[at]!.by)].live
  },
  act: async (model, surfaces: Surfaces) => {
    const task = surfaces.tasks[chosen(model, nth, () => true)!]!
    const { reader } = surfaces.holders[other(task.by)]
    const answer = await answered(reader, follow(surfaces.t, reader, task.taskId))
    tell(surfaces, `WebSocket: ${String(answer?.type ?? 'no answer')}`)
  },
})

const places = fc.nat({ max: 7 })

/** Subscriptions change while tasks are in progress. */
export const followings = (): fc.Arbitrary<StepOptions> =>
  fc.oneof(places.map(subscribes), places.map(unsubscribes), places.map(eavesdrops))
