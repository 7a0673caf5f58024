import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order } from './trial.process.ts'
import type { Trial } from './tryMutant.ts'

export type InProcessesOptions = {
  readonly workers: number
  readonly signal: AbortSignal
  readonly onTrial: (trial: Trial) => void
  /** A trial that takes longer has its process ended, and is broken. */
  readonly longestMs?: number
}

const file = fileURLToPath(new URL('./trial.process.ts', import.meta.url))

/** A process is given so many mutants and ends: what a stack leaves in memory goes with it. */
const trialsOfOne = 25

const start = (): ChildProcess =>
  fork(file, [], {
    execArgv: ['--import', import.meta.resolve('tsx')],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(timer)
}

/** One answer of the process, or why there is none. */
const answerOf = (child: ChildProcess, order: Order, ms: number, signal: AbortSignal) =>
  new Promise<Trial | string>((resolve) => {
    const done = (answer: Trial | string) => {
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

/** Tries mutants in processes of their own, so many at a time; ends all of them. */
export const inProcesses = async (
  orders: readonly Order[],
  { workers, signal, onTrial, longestMs = 300_000 }: InProcessesOptions,
): Promise<void> => {
  const waiting = orders.values()
  const lane = async () => {
    let child: ChildProcess | undefined
    let left = 0
    for (const order of waiting) {
      if (signal.aborted) break
      if (child === undefined || left-- === 0) {
        if (child !== undefined) await end(child)
        child = start()
        left = trialsOfOne - 1
      }
      const answer = await answerOf(child, order, longestMs, signal)
      if (typeof answer !== 'string') {
        onTrial(answer)
        continue
      }
      await end(child)
      child = undefined
      if (signal.aborted) break
      const nothing = { unproven: order.clauses ?? [], failed: [], asked: 0, ms: longestMs }
      onTrial({ id: order.id, verdict: 'broken', reason: answer, ...nothing })
    }
    if (child !== undefined) await end(child)
  }
  await Promise.all(Array.from({ length: workers }, lane))
}
