import fc from 'fast-check'
import { toHex } from 'viem'
import { devNode } from '../../kit/assertions/contract.ts'
import { control } from '../../kit/scenarios/controlListener.ts'
import type { StepOptions } from '../step.ts'
import { settle } from './tasks.ts'

const mines = (blocks: number): StepOptions => ({
  text: `the chain mines ${blocks} blocks`,
  act: async (_, { t }) => {
    await devNode(t, 'anvil_mine', [toHex(blocks)])
  },
})

/** Blocks are mined while other things are in progress. */
export const blocks = (): fc.Arbitrary<StepOptions> => fc.integer({ min: 1, max: 4 }).map(mines)

const stops = (at: number): StepOptions => ({
  text: `operator ${at} is stopped`,
  holds: ({ stakes, stopped }) => at < stakes.length && !stopped.has(at),
  act: async (model, surfaces) => {
    await settle(model, surfaces)
    await control(surfaces.t, `/operators/${at}/stop`)
    model.stopped.add(at)
  },
})

const starts = (at: number): StepOptions => ({
  text: `operator ${at} is started`,
  holds: ({ stopped }) => stopped.has(at),
  act: async (model, surfaces) => {
    await settle(model, surfaces)
    await control(surfaces.t, `/operators/${at}/start`)
    model.stopped.delete(at)
  },
})

/** Operators stop and start. */
export function operatorChanges(operators: number): fc.Arbitrary<StepOptions> {
  const one = fc.nat({ max: Math.max(0, operators - 1) })
  return fc.oneof(one.map(stops), one.map(starts))
}
