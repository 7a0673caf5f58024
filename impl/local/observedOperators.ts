import { blsKey } from 'polgate-service/attestation/bls.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { createOperatorFaults, type OperatorFaults } from './operatorFaults.ts'
import { createOperatorStatistics, type OperatorStatistics } from './operatorStatistics.ts'
import type { TimeTravel } from './timeTravel/timeTravel.ts'
import { createWrongKeys, type WrongKeys } from './wrongKeys.ts'

export type ObservedOperators = {
  readonly statistics: OperatorStatistics
  /** Puts faults around an operator of this process. */
  readonly faulty: (operator: Operator) => Operator
  /** What the control listener is given; without faults for operators in processes. */
  readonly parts: {
    readonly statistics: OperatorStatistics
    readonly faults?: OperatorFaults
    readonly wrongKeys?: WrongKeys
  }
  forget(): void
}

/** Records what the operators of a configuration do, and gives them faults if they are in this process. */
export function observedOperators(
  { operators = [] }: Pick<ServiceConfigInput, 'operators'>,
  inProcesses: boolean,
): ObservedOperators {
  const statistics = createOperatorStatistics()
  if (inProcesses) {
    const parts = { statistics }
    return { statistics, faulty: (operator) => operator, parts, forget: statistics.clear }
  }
  const local = operators.flatMap((each) => (each.kind === 'local' ? [each] : []))
  const keys = local.map(
    ({ address, blsKey: secret }) =>
      [address.toLowerCase(), blsKey(Buffer.from(secret.slice(2), 'hex'))] as const,
  )
  const faults = createOperatorFaults(new Map(keys))
  const wrongKeys = createWrongKeys()
  return {
    statistics,
    faulty: (operator) => faults.around(wrongKeys.around(operator)),
    parts: { statistics, faults, wrongKeys },
    forget() {
      faults.reset()
      statistics.clear()
    },
  }
}

/** A revert undoes faults too, and forgets tasks that may no longer exist. */
export const forgetting = (
  travel: TimeTravel | undefined,
  { forget }: Pick<ObservedOperators, 'forget'>,
): TimeTravel | undefined =>
  travel && {
    ...travel,
    async revert(id) {
      await travel.revert(id)
      forget()
    },
  }
