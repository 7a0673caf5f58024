import fc from 'fast-check'
import {
  expectRegistered,
  registerAgain,
  registerBox,
  unregisterWebhook,
} from '../../kit/scenarios/webhooks.ts'
import { everybody, type Side } from '../state.ts'
import type { StepOptions } from '../step.ts'
import { settle } from './tasks.ts'

const registers = (who: Side): StepOptions => ({
  text: `${who}: registerWebhook`,
  holds: ({ keys }) => keys[who].live,
  act: async (model, surfaces) => {
    // A task in progress could end before or after it, so wait for all tasks.
    await settle(model, surfaces)
    const { box, key } = surfaces.holders[who]
    if (model.keys[who].webhook) await registerAgain(surfaces.t, box!, key)
    else await registerBox(surfaces.t, box!, key)
    model.keys[who].webhook = true
  },
})

const unregisters = (who: Side): StepOptions => ({
  text: `${who}: unregisterWebhook`,
  holds: ({ keys }) => keys[who].live && keys[who].webhook,
  act: async (model, surfaces) => {
    await settle(model, surfaces)
    expectRegistered(await unregisterWebhook(surfaces.t, surfaces.holders[who].key))
    model.keys[who].webhook = false
  },
})

const who = fc.constantFrom(...everybody)

/** Each key has a webhook at some times, and none at others. */
export const webhookChanges = (): fc.Arbitrary<StepOptions> =>
  fc.oneof({ weight: 2, arbitrary: who.map(registers) }, who.map(unregisters))
