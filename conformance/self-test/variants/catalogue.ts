import type { Target } from 'polgate-conformance/core/target.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { choices } from '../mutants/catalogue.ts'
import { answerVariants } from './answers.ts'
import { conventionVariants } from './conventions.ts'
import { decisionVariants } from './decisions.ts'
import { explorerVariants } from './explorer.ts'
import { historyVariants } from './history.ts'
import { keyVariants } from './keys.ts'
import { limitVariants } from './limits.ts'
import { oracleCallVariants } from './oracleCalls.ts'
import { oracleVariants } from './oracles.ts'
import { sealedDataVariants } from './sealedData.ts'
import { taskVariants } from './tasks.ts'
import { transportVariants } from './transport.ts'
import { updateVariants } from './updates.ts'
import type { Variant } from './variant.ts'
import { webhookVariants } from './webhooks.ts'

const unmarked = () => undefined

/**
 * Extensions of the reference implementation, wrong in themselves: another gateway may leave them out,
 * but not get them wrong.
 */
const wrongExtensions: readonly RegExp[] = [
  /^intent\.digest-(other-domain|chain-one|without-contract|any-signature)$/,
  /^task\.spend-warnings-always$/,
  /^private\./,
]

/** What the owner of such a gateway declares in the target file. */
const declarations: Readonly<Record<string, Variant['declares']>> = {
  'simulate.attestation-required': {
    'unattested-data': 'simulateTask takes only data that an attester has signed',
  },
}

/** Mutants that break only clauses of points on which the specification is silent. */
const choiceVariants: readonly Variant[] = choices
  .filter(({ id }) => !wrongExtensions.some((each) => each.test(id)))
  .map(
    ({ id, fault, clauses, parts, config, around }): Variant => ({
      id: `choice.${id}`,
      choice: fault,
      clauses,
      ...(declarations[id] && { declares: declarations[id] }),
      ...(parts && { parts: () => parts(unmarked) }),
      ...(config && { config: (given: ServiceConfigInput) => config(given, unmarked) }),
      ...(around && { around: (target: Target) => around(target, unmarked) }),
    }),
  )

/** Every variant. */
export const variants: readonly Variant[] = [
  ...transportVariants,
  ...historyVariants,
  ...answerVariants,
  ...decisionVariants,
  ...sealedDataVariants,
  ...keyVariants,
  ...conventionVariants,
  ...taskVariants,
  ...explorerVariants,
  ...webhookVariants,
  ...updateVariants,
  ...oracleVariants,
  ...oracleCallVariants,
  ...limitVariants,
  ...choiceVariants,
]
