import type fc from 'fast-check'
import type { Model } from './state.ts'
import type { Surfaces } from './surfaces.ts'

/** One thing that somebody does, as fast-check runs it. */
export type Step = fc.AsyncCommand<Model, Surfaces>

export type StepOptions = {
  /** A sentence that a reader of a failure is shown. */
  readonly text: string
  /** Whether it can be done in this state; nobody is asked. */
  readonly holds?: (model: Model) => boolean
  /** Does it, holds what is answered against the model, and changes the model. */
  readonly act: (model: Model, surfaces: Surfaces) => Promise<void>
}

/** Looked at after every step. */
export type Invariant = (model: Model, surfaces: Surfaces) => Promise<void>

/** Makes a step, after which every invariant has to hold. */
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
