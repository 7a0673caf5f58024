import { abortReason } from 'polgate-lib/async/abortReason.ts'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Operator } from '../operators/operator.ts'
import type { OperatorLatency } from './operatorLatency.ts'

export type Failures = readonly { readonly operator: Operator; readonly error: unknown }[]

export type Answers<Answer> = readonly { readonly operator: Operator; readonly answer: Answer }[]

export type Gathered<Answer> = {
  readonly answers: Answers<Answer>
  readonly failures: Failures
  /** Operators that did not answer within the grace period. */
  readonly late: readonly Operator[]
}

export type GatherOptions<Answer> = {
  readonly operators: readonly Operator[]
  readonly call: (operator: Operator, signal: AbortSignal) => Promise<Answer>
  /** Whether these operators suffice. */
  readonly reached: (operators: readonly Bytes32[]) => boolean
  /**
   * The operators whose answers agree with each other. Asked when the grace period ends: an answer
   * that disagrees must not exclude a slower operator that the quorum needs.
   */
  readonly agreeing: (answers: Answers<Answer>) => Promise<readonly Bytes32[]>
  /** How long the remaining operators may take once enough have answered, milliseconds. */
  readonly graceMs: number
  /**
   * Shortens the grace for slow operators to the time that the others took, at least a quarter of
   * it.
   */
  readonly operatorLatency?: OperatorLatency
  /** Called for each answer as it arrives, with its error if it is a failure or invalid. */
  readonly onAnswer?: (operator: Operator, error?: unknown) => void
  /** Called when the signal aborts, with the failed and the silent operators. */
  readonly onCut?: (failures: Failures, silent: readonly Operator[]) => void
  readonly signal: AbortSignal
}

/** The part of the grace that slow operators get in any case. */
const minGraceShare = 1 / 4

/**
 * Calls all operators concurrently. Ends when all have answered, or at the end of the grace period
 * that begins once enough have answered or enough no longer can; then aborts the calls in flight.
 * The grace period does not end while the answers disagree and a remaining operator could still
 * complete an agreeing set. Rejects only with the signal's reason.
 */
export async function gather<Answer>(options: GatherOptions<Answer>): Promise<Gathered<Answer>> {
  const { operators, call, reached, agreeing, graceMs, operatorLatency, signal, onAnswer } = options
  const answers: { operator: Operator; answer: Answer }[] = []
  const failures: { operator: Operator; error: unknown }[] = []
  const pending = new Set(operators)
  const enough = new AbortController()
  const begin = performance.now()
  let decidedAt: number | undefined
  let grace: NodeJS.Timeout | undefined

  const idsOf = (some: Iterable<Operator>) => [...some].map(({ id }) => id)
  const consider = () => {
    if (decidedAt === undefined) {
      const answered = idsOf(answers.map(({ operator }) => operator))
      const decided = reached(answered) || !reached([...answered, ...idsOf(pending)])
      if (!decided) return
      decidedAt = performance.now()
    }
    const onlyTardy =
      operatorLatency !== undefined && idsOf(pending).every((id) => operatorLatency.isSlow(id))
    const patience = onlyTardy
      ? Math.min(graceMs, Math.max(graceMs * minGraceShare, decidedAt - begin))
      : graceMs
    clearTimeout(grace)
    const left = decidedAt + patience - performance.now()
    grace = setTimeout(endGrace, Math.max(0, left))
  }
  /** Ends the gathering, unless the answers disagree and a remaining operator is needed. */
  const endGrace = async () => {
    const remaining = idsOf(pending)
    const agreed = await agreeing([...answers]).catch(() => [])
    const isNeeded = !reached(agreed) && reached([...agreed, ...remaining])
    if (!isNeeded) enough.abort(abortReason)
  }
  const ask = async (operator: Operator, callSignal: AbortSignal) => {
    try {
      const answer = await call(operator, callSignal)
      if (callSignal.aborted) return
      answers.push({ operator, answer })
      onAnswer?.(operator)
    } catch (error) {
      if (callSignal.aborted) return
      failures.push({ operator, error })
      onAnswer?.(operator, error)
    }
    pending.delete(operator)
    consider()
  }

  signal.throwIfAborted()
  const either = linkedSignal(signal, enough.signal)
  const callSignal = either.signal
  const cut = () => options.onCut?.([...failures], [...pending])
  signal.addEventListener('abort', cut, { once: true })
  const calls = operators.map((operator) => ask(operator, callSignal))
  try {
    await Promise.race([Promise.all(calls), abortion(callSignal)])
  } finally {
    clearTimeout(grace)
    enough.abort(abortReason)
    either.release()
    signal.removeEventListener('abort', cut)
  }
  signal.throwIfAborted()
  const late = [...pending]
  operatorLatency?.note(idsOf(answers.map(({ operator }) => operator)), idsOf(late))
  return { answers, failures, late }
}

const abortion = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * `work` over answers that only grow in number: its last result is used again while no answer has
 * been added.
 */
export function ofLatest<Answer, Result>(
  work: (answers: Answers<Answer>) => Promise<Result>,
): (answers: Answers<Answer>) => Promise<Result> {
  let last: { readonly count: number; readonly result: Promise<Result> } | undefined
  return (answers) => {
    if (last?.count !== answers.length) last = { count: answers.length, result: work(answers) }
    return last.result
  }
}
