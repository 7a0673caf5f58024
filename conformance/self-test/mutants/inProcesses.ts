import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { overloaded } from 'polgate-conformance/runner/pace.ts'
import type { FromProcess, Order, ToProcess } from './trial.process.ts'

export type InProcessesOptions = {
  readonly workers: number
  readonly signal: AbortSignal
  readonly onTrial: (trial: Trial) => void
  /** Timeout of a trial: its process is ended, and the mutant is broken. */
  readonly longestMs?: number
}

const file = fileURLToPath(new URL('./trial.process.mjs', import.meta.url))

/** Number of trials per process: its end releases the memory that stacks leak. */
const trialsOfOne = 40

const start = (): ChildProcess =>
  fork(file, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(timer)
}

/** One answer of the process, or why there is none. */
const answerOf = (child: ChildProcess, order: ToProcess, ms: number, signal: AbortSignal) =>
  new Promise<FromProcess | string>((resolve) => {
    const done = (answer: FromProcess | string) => {
      clearTimeout(timer)
      child.off('message', done)
      child.off('exit', exited)
      signal.removeEventListener('abort', aborted)
      resolve(answer)
    }
    const exited = (code: number | null) => done(`its process ended with ${code}`)
    const aborted = () => done('interrupted')
    const timer = setTimeout(() => done(`no end within ${ms / 1000} s`), ms)
    child.once('message', done)
    child.once('exit', exited)
    signal.addEventListener('abort', aborted, { once: true })
    child.send(order)
  })

/** How long the end of an overload is awaited before trials are repeated. */
const calmMs = 120_000

/** Resolves when the machine is not overloaded any more, `signal` is aborted, or after `calmMs`. */
async function calm(signal: AbortSignal): Promise<void> {
  const until = performance.now() + calmMs
  while (overloaded() !== undefined && performance.now() < until && !signal.aborted)
    await sleep(1_000)
}

/**
 * Runs mutants in separate processes, with limited concurrency; ends all of them. Faults in
 * listeners share a stack. Before its process ends, the checks that detected them are run again
 * without a fault: a trial with a check that still fails is repeated on a new stack. So is, one at a
 * time after all others, a trial that an overloaded machine left undecided.
 */
export async function inProcesses(
  orders: readonly Order[],
  { workers, signal, onTrial, longestMs = 300_000 }: InProcessesOptions,
): Promise<void> {
  const waiting = [...orders]
  const undecided: Order[] = []
  let repeating = false
  const report = (order: Order, trial: Trial) => {
    if (trial.overload === undefined || repeating) onTrial(trial)
    else undecided.push({ ...order, alone: true })
  }
  const broken = ({ id, clauses = [] }: Order, reason: string): Trial => ({
    id,
    verdict: 'broken',
    unproven: clauses,
    failed: [],
    asked: 0,
    reason,
    ms: longestMs,
  })
  /** One process, and its trials. */
  const batch = async () => {
    const child = start()
    const shared: { readonly order: Order; readonly trial: Trial; readonly final: boolean }[] = []
    let left = trialsOfOne
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
      const answer = await answerOf(child, order, longestMs, signal)
      if (signal.aborted) break
      if (typeof answer === 'string' || !('trial' in answer)) {
        onTrial(broken(order, typeof answer === 'string' ? answer : 'no trial'))
        break
      }
      const { trial, final = false } = answer
      if (answer.shared) shared.push({ order, trial, final })
      else report(order, trial)
      left--
      if (left === 0) break
    }
    if (shared.length > 0 && !signal.aborted) {
      const last = { last: true, seed: shared[0]!.order.seed } as const
      const answer = await answerOf(child, last, longestMs, signal)
      const failing =
        typeof answer !== 'string' && 'stillFailing' in answer ? answer.stillFailing : undefined
      for (const { order, trial, final } of shared) {
        // The state of a stack that did not answer is unknown.
        const sure = failing !== undefined && !trial.failed.some(({ id }) => failing.includes(id))
        const settled = trial.verdict === 'killed' || (final && trial.verdict !== 'broken')
        if (sure && trial.overload !== undefined) report(order, trial)
        else if (sure && settled) onTrial(trial)
        else waiting.push({ ...order, alone: true })
      }
    }
    await end(child)
  }
  const lane = async () => {
    while (waiting.length > 0 && !signal.aborted) await batch()
  }
  await Promise.all(Array.from({ length: workers }, lane))
  if (undecided.length === 0 || signal.aborted) return
  await calm(signal)
  waiting.push(...undecided)
  repeating = true
  await lane()
}
