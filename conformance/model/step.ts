import type fc from 'fast-check'
import type { Model } from './state.ts'
import type { Surfaces } from './surfaces.ts'

/** One action, as fast-check runs it. */
export type Step = fc.AsyncCommand<Model, Surfaces>

export type StepOptions = {
  /** A sentence shown in a failure. */
  readonly text: string
  /** Whether it is possible in this state; sends no requests. */
  readonly holds?: (model: Model) => boolean
  /** Performs it, compares the response with the model, and updates the model. */
  readonly act: (model: Model, surfaces: Surfaces) => Promise<void>
}

/** Checked after every step. */
export type Invariant = (model: Model, surfaces: Surfaces) => Promise<void>

/** Makes a step, after which every invariant must hold. */
export const step = (
  invariants: readonly Invariant[],
  { text, holds = () => true, act }: StepOptions,
): Step => ({
  check: (model) => holds(model),
  run: async (model, surfaces) => {
    surfaces.story.push(`  ${surfaces.story.length + 1}. ${text}`)
    await act(model, surfaces)
    for (const invariant of invariants) await invariant(model, surfaces)
  },
  toString: () => text,
})
