import { scalarMutants } from './2.1-scalars.ts'
import { intentMutants } from './2.2-task-intent.ts'
import { attestationMutants } from './2.5-aggregation.ts'
import { taskResultMutants } from './2.5-task-result.ts'
import { stateMutants } from './3-states.ts'
import { conventionMutants } from './4.1-conventions.ts'
import { createTaskMutants } from './4.2-create-task.ts'
import { taskParamsMutants } from './4.2-create-task-params.ts'
import { sendTaskMutants } from './4.3-send-task.ts'
import { updateMutants } from './6.1-task-updates.ts'
import {
  httpStatusMutants,
  serviceErrorMutants,
  standardErrorMutants,
} from './7.1-standard-errors.ts'
import { conditionMutants } from './7.5-conditions.ts'
import { onChainMutants } from './7.5-on-chain.ts'
import type { Mutant } from './mutant.ts'

/** Every mutant, in the order of the sections. */
export const mutants: readonly Mutant[] = [
  scalarMutants,
  intentMutants,
  taskResultMutants,
  attestationMutants,
  stateMutants,
  conventionMutants,
  createTaskMutants,
  taskParamsMutants,
  sendTaskMutants,
  updateMutants,
  standardErrorMutants,
  serviceErrorMutants,
  httpStatusMutants,
  conditionMutants,
  onChainMutants,
].flat()
