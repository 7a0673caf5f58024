import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Operator } from '../operators/operator.ts'
import type { Punctuality } from './punctuality.ts'

export type Failures = readonly { readonly operator: Operator; readonly error: unknown }[]

export type Gathered<Answer> = {
  readonly answers: readonly { readonly operator: Operator; readonly answer: Answer }[]
  readonly failures: Failures
  /** Those who had not answered when the others had decided it. */
  readonly late: readonly Operator[]
}

export type GatherOptions<Answer> = {
  readonly operators: readonly Operator[]
  readonly call: (operator: Operator, signal: AbortSignal) => Promise<Answer>
  /** Whether these operators are enough. */
  readonly reached: (operators: readonly Bytes32[]) => boolean
  /** Once that is decided, how long the others may still take, milliseconds. */
  readonly graceMs: number
  /** For those who are tardy the grace is what the others took, a quarter of it at least. */
  readonly punctuality?: Punctuality
  /** Told of each answer as it comes; without an error it is a good one. */
  readonly onAnswer?: (operator: Operator, error?: unknown) => void
  /** Told when the signal ends it: who had failed, and who had not answered until then. */
  readonly onCut?: (failures: Failures, silent: readonly Operator[]) => void
  readonly signal: AbortSignal
}

/** This part of the grace the others wait even for those who are tardy. */
const leastPatience = 1 / 4

/**
 * Asks all operators at once. Ends when all have answered, or a grace after those who have are
 * enough, or after those left cannot make it enough any more; then calls under way are aborted.
 * Rejects with the signal's reason only.
 */
export async function gather<Answer>(options: GatherOptions<Answer>): Promise<Gathered<Answer>> {
  const { operators, call, reached, graceMs, punctuality, signal, onAnswer } = options
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
      punctuality !== undefined && idsOf(pending).every((id) => punctuality.isTardy(id))
    const patience = onlyTardy
      ? Math.min(graceMs, Math.max(graceMs * leastPatience, decidedAt - begin))
      : graceMs
    clearTimeout(grace)
    const left = decidedAt + patience - performance.now()
    grace = setTimeout(() => enough.abort(), Math.max(0, left))
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
    enough.abort()
    either.release()
    signal.removeEventListener('abort', cut)
  }
  signal.throwIfAborted()
  const late = [...pending]
  punctuality?.note(idsOf(answers.map(({ operator }) => operator)), idsOf(late))
  return { answers, failures, late }
}

const abortion = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
