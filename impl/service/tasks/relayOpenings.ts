import type { OperatorError } from 'polgate-protocol/task.ts'
import { publicKeyShareError } from '../operators/keyShareError.ts'
import type { Operator } from '../operators/operator.ts'
import type { KeyHolder } from '../threshold/keyHolder.ts'
import type { OpeningRequest, SealedPartial } from '../threshold/opening.ts'
import { type GatherOptions, gather } from './gather.ts'
import { operatorError } from './operatorErrors.ts'
import { operatorFault } from './operatorFaults.ts'
import type { OperatorLatency } from './operatorLatency.ts'
import type { TaskDeps, TaskPrivateData } from './taskDeps.ts'

export type Relayed = {
  answersTo(request: OpeningRequest): readonly SealedPartial[]
  /** Of members that answered none of the requests. */
  readonly errors: readonly OperatorError[]
}

/**
 * Sends the requests of openers to every member of the shared key, and collects what the members
 * answer. The gateway can read no answer: an opener says which ones are invalid.
 */
export async function relayOpenings(
  deps: Pick<TaskDeps, 'operators' | 'graceMs' | 'clock'>,
  given: {
    readonly members: TaskPrivateData['members']
    /** Operators of one process give the same ones. */
    readonly requests: readonly OpeningRequest[]
    readonly operatorLatency: OperatorLatency
    readonly onCut: NonNullable<GatherOptions<unknown>['onCut']>
    readonly signal: AbortSignal
  },
): Promise<Relayed> {
  const { members, operatorLatency, onCut, signal } = given
  const requests = [...new Map(given.requests.map((one) => [idOf(one), one])).values()]
  if (members === undefined || requests.length === 0) return { answersTo: () => [], errors: [] }
  const { needed, holders } = members
  const holderOf = new Map<Operator, { readonly holder: KeyHolder; readonly place: number }>()
  for (const [at, holder] of holders.entries()) {
    const operator = deps.operators.find(({ address }) => same(address, holder.address))
    if (operator !== undefined) holderOf.set(operator, { holder, place: at + 1 })
  }
  const { answers, failures, late } = await gather<ReadonlyMap<string, SealedPartial>>({
    operators: [...holderOf.keys()],
    call: async (operator, on) => await askMember(holderOf.get(operator)!, requests, on),
    reached: (ids) => ids.length >= needed,
    agreeing: async (given) => given.map(({ operator }) => operator.id),
    graceMs: deps.graceMs,
    ...{ operatorLatency, onCut, signal },
  })
  return {
    answersTo: (request) => answers.flatMap(({ answer }) => answer.get(idOf(request)) ?? []),
    errors: [
      ...failures.map(({ operator, error }) => operatorError(operator, error, deps.clock)),
      ...late.map((operator) => operatorError(operator, operatorFault('late'), deps.clock)),
    ],
  }
}

/** What one member answers, by request. @throws its first error if it answers none */
async function askMember(
  { holder, place }: { readonly holder: KeyHolder; readonly place: number },
  requests: readonly OpeningRequest[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, SealedPartial>> {
  const settled = await Promise.allSettled(requests.map((request) => holder.open(request, signal)))
  const answers = new Map<string, SealedPartial>()
  for (const [at, one] of settled.entries()) {
    if (one.status === 'rejected') continue
    if (one.value.place !== place) throw operatorFault('malformed', ': answer of another member')
    answers.set(idOf(requests[at]!), one.value)
  }
  const failure = settled.find((one) => one.status === 'rejected')
  if (answers.size === 0 && failure !== undefined) throw publicKeyShareError(failure.reason)
  return answers
}

const idOf = ({ statement }: OpeningRequest): string => statement.signature

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
