import fc from 'fast-check'
import type { OwnKey } from '../../core/exchange.ts'
import { isRequired } from '../../kit/assertions/observed.ts'
import { deleteKey, type MadeKey, rotateKey } from '../../kit/scenarios/controlListener.ts'
import { registerAgain } from '../../kit/scenarios/webhooks.ts'
import { openFollower } from '../follower.ts'
import { endKey, everybody, type Model, type Side } from '../state.ts'
import type { StepOptions } from '../step.ts'
import { type Holder, makeKeyOf, type Surfaces } from '../surfaces.ts'
import { settle } from './tasks.ts'

/** The value is invalid from here on. */
function bury(holder: Holder): void {
  if (typeof holder.key !== 'string') holder.dead.push(holder.key as OwnKey)
}

async function take({ t }: Surfaces, holder: Holder, made: MadeKey): Promise<void> {
  holder.key = made.key
  holder.id = made.id
  holder.former.push(holder.witness, holder.reader)
  holder.witness = await openFollower(t, made.key)
  holder.reader = await openFollower(t, made.key)
}

/** Tasks of closed connections are not followed on the new ones. */
function forgetFollowers(model: Model, who: Side): void {
  for (const task of model.tasks)
    if (task.by === who && task.following === 'yes') task.following = 'left'
}

/** Section 5.6, decision K9: the value changes, the key and its webhook stay. */
const rotates = (who: Side): StepOptions => ({
  text: `the key ${who} is rotated`,
  holds: ({ keys }) => keys[who].live,
  act: async (model, surfaces) => {
    await settle(model, surfaces)
    const holder = surfaces.holders[who]
    const rotated = await rotateKey(surfaces.t, holder.id!)
    bury(holder)
    forgetFollowers(model, who)
    await take(surfaces, holder, rotated)
    // Whether a webhook survives the rotation of its key is open.
    if (
      model.keys[who].webhook &&
      !isRequired(surfaces.t, 'webhook-after-rotation') &&
      holder.box !== undefined
    )
      await registerAgain(surfaces.t, holder.box, holder.key)
  },
})

const deletes = (who: Side): StepOptions => ({
  text: `the key ${who} is deleted`,
  holds: ({ keys }) => keys[who].live,
  act: async (model, surfaces) => {
    await settle(model, surfaces)
    const holder = surfaces.holders[who]
    await deleteKey(surfaces.t, holder.id!)
    bury(holder)
    holder.id = undefined
    endKey(model, who)
  },
})

const makes = (who: Side): StepOptions => ({
  text: `a new key ${who} is created`,
  holds: ({ keys }) => !keys[who].live,
  act: async (model, surfaces) => {
    await take(surfaces, surfaces.holders[who], await makeKeyOf(surfaces.t, who))
    model.keys[who] = { live: true, webhook: false }
  },
})

const who = fc.constantFrom(...everybody)

/** Keys are created and deleted, with everything that belongs to them. */
export const keyChanges = (): fc.Arbitrary<StepOptions> =>
  fc.oneof(who.map(rotates), who.map(deletes), who.map(makes))
