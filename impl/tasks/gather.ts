import { linkedSignal } from '../operators/linkedSignal.ts'
import type { Operator } from '../operators/operator.ts'
import type { Bytes32 } from '../protocol/scalars.ts'

export type Gathered<Answer> = {
  readonly answers: readonly { readonly operator: Operator; readonly answer: Answer }[]
  readonly failures: readonly { readonly operator: Operator; readonly error: unknown }[]
  /** Those who had not answered when the others had decided it. */
  readonly silent: readonly Operator[]
}

export type GatherOptions<Answer> = {
  readonly operators: readonly Operator[]
  readonly call: (operator: Operator, signal: AbortSignal) => Promise<Answer>
  /** Whether these operators are enough. */
  readonly reached: (operators: readonly Bytes32[]) => boolean
  /** Once that is decided, how long the others may still take, milliseconds. */
  readonly graceMs: number
  /** Told of each answer as it comes; without an error it is a good one. */
  readonly onAnswer?: (operator: Operator, error?: unknown) => void
  readonly signal: AbortSignal
}

/**
 * Asks all operators at once. Ends when all have answered, or a grace after those who have are
 * enough, or after those left cannot make it enough any more; then calls under way are aborted.
 * Rejects with the signal's reason only.
 */
export async function gather<Answer>(options: GatherOptions<Answer>): Promise<Gathered<Answer>> {
  const { operators, call, reached, graceMs, signal, onAnswer } = options
  const answers: { operator: Operator; answer: Answer }[] = []
  const failures: { operator: Operator; error: unknown }[] = []
  const pending = new Set(operators)
  const enough = new AbortController()
  let grace: NodeJS.Timeout | undefined

  const idsOf = (some: Iterable<Operator>) => [...some].map(({ id }) => id)
  const consider = () => {
    const answered = idsOf(answers.map(({ operator }) => operator))
    const decided = reached(answered) || !reached([...answered, ...idsOf(pending)])
    if (decided) grace ??= setTimeout(() => enough.abort(), graceMs)
  }
  const ask = async (operator: Operator, callSignal: AbortSignal) => {
    try {
      const answer = await call(operator, callSignal)
      if (enough.signal.aborted) return
      answers.push({ operator, answer })
      onAnswer?.(operator)
    } catch (error) {
      if (enough.signal.aborted) return
      failures.push({ operator, error })
      onAnswer?.(operator, error)
    }
    pending.delete(operator)
    consider()
  }

  signal.throwIfAborted()
  const either = linkedSignal(signal, enough.signal)
  const callSignal = either.signal
  const calls = operators.map((operator) => ask(operator, callSignal))
  try {
    await Promise.race([Promise.all(calls), abortion(callSignal)])
  } finally {
    clearTimeout(grace)
    enough.abort()
    either.release()
  }
  signal.throwIfAborted()
  return { answers, failures, silent: [...pending] }
}

const abortion = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
