import { choices } from '../mutants/catalogue.ts'
import { answerVariants } from './answers.ts'
import { decisionVariants } from './decisions.ts'
import { transportVariants } from './transport.ts'
import type { Variant } from './variant.ts'

const unmarked = () => undefined

/** Mutants that break only clauses of points on which the specification is silent. */
const choiceVariants: readonly Variant[] = choices.map(
  ({ id, fault, parts, config, around }): Variant => ({
    id: `choice.${id}`,
    choice: fault,
    ...(parts && { parts: () => parts(unmarked) }),
    ...(config && { config: (given) => config(given, unmarked) }),
    ...(around && { around: (target) => around(target, unmarked) }),
  }),
)

/** Every variant. */
export const variants: readonly Variant[] = [
  ...transportVariants,
  ...answerVariants,
  ...decisionVariants,
  ...choiceVariants,
]
