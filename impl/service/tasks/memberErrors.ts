import type { OperatorError } from 'polgate-protocol/task.ts'
import type { SignAnswer } from '../operators/operator.ts'
import type { Answers } from './gather.ts'
import type { OpenedData } from './openPrivateData.ts'
import { operatorError } from './operatorErrors.ts'
import { operatorFault } from './operatorFaults.ts'
import type { TaskDeps } from './taskDeps.ts'

/**
 * The errors of operators as members of the shared key, of which the others opened the data: those
 * that did not answer, and those whose partial decryption an opener found invalid. Nobody else can
 * read that answer, so the error names every opener that says so. An operator that has another error
 * keeps that one.
 */
export function memberErrors(
  { operators, clock }: Pick<TaskDeps, 'operators' | 'clock'>,
  given: {
    readonly answers: Answers<SignAnswer>
    readonly opened: Pick<OpenedData, 'memberErrors'>
    readonly known: readonly OperatorError[]
  },
): readonly OperatorError[] {
  const wrong = new Map<string, Set<string>>()
  for (const { operator, answer } of given.answers)
    for (const member of answer.wrongPartials ?? []) {
      const by = wrong.get(member.toLowerCase()) ?? new Set()
      wrong.set(member.toLowerCase(), by.add(operator.address))
    }
  const accused = [...wrong].flatMap(([address, by]) => {
    const member = operators.find((one) => one.address.toLowerCase() === address)
    if (member === undefined) return []
    return [
      operatorError(member, operatorFault('wrongPartial', `, says ${[...by].join(', ')}`), clock),
    ]
  })
  const seen = new Set(given.known.map(idOf))
  return [...accused, ...given.opened.memberErrors].filter((error) => {
    if (seen.has(idOf(error))) return false
    seen.add(idOf(error))
    return true
  })
}

const idOf = ({ operator_id: id }: OperatorError) => id.toLowerCase()
