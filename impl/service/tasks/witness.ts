import type { Clock } from 'polgate-protocol/clock.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import type { GatherOptions } from './gather.ts'
import { operatorError } from './operatorErrors.ts'
import { operatorFault } from './operatorFaults.ts'

export type Witness = {
  /** For `gather`. @param before what had gone wrong when the phase began */
  onCut(before: readonly OperatorError[]): NonNullable<GatherOptions<unknown>['onCut']>
  /** What had gone wrong with operators when a task was cut short; empty for one that was not. */
  readonly errors: readonly OperatorError[]
}

/** Keeps what a task that runs out of time can tell of its operators: who failed, who was silent. */
export function createWitness({ clock }: { readonly clock: Clock }): Witness {
  let errors: readonly OperatorError[] = []
  return {
    onCut: (before) => (failures, silent) => {
      errors = [
        ...before,
        ...failures.map(({ operator, error }) => operatorError(operator, error, clock)),
        ...silent.map((operator) => operatorError(operator, operatorFault('silent'), clock)),
      ]
    },
    get errors() {
      return errors
    },
  }
}
