import type { Clock } from 'polgate-protocol/clock.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import type { GatherOptions } from './gather.ts'
import { operatorError } from './operatorErrors.ts'
import { operatorFault } from './operatorFaults.ts'

export type PartialErrors = {
  /** For `gather`. @param before operator errors from before the phase */
  onCut(before: readonly OperatorError[]): NonNullable<GatherOptions<unknown>['onCut']>
  /** Operator errors at the time the task was aborted; empty if it was not. */
  readonly errors: readonly OperatorError[]
}

/** Collects the operator errors of a task that times out: which failed, which were silent. */
export function createPartialErrors({ clock }: { readonly clock: Clock }): PartialErrors {
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
