import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pMap from 'p-map'
import { variants } from './catalogue.ts'
import type { RowOrder } from './row.process.ts'
import type { RowResult } from './tryRow.ts'

export type RunRowsOptions = {
  readonly rows: readonly (readonly string[])[]
  readonly seed: string
  /** Variants that are in no saved set. */
  readonly isNew: (id: string) => boolean
  readonly workers: number
  readonly signal: AbortSignal
  readonly onRow: (result: RowResult, done: number) => void
}

const file = fileURLToPath(new URL('./row.process.mjs', import.meta.url))

/** Of one run: with a latency of two seconds the checks take minutes. */
const longestMs = 45 * 60_000
const halfPeriodMs = 40

/** Stops and continues a process in turn, which leaves it half of a processor. */
function halve(child: ChildProcess): () => void {
  let stopped = false
  const timer = setInterval(() => {
    stopped = !stopped
    child.kill(stopped ? 'SIGSTOP' : 'SIGCONT')
  }, halfPeriodMs)
  return () => {
    clearInterval(timer)
    child.kill('SIGCONT')
  }
}

/** Runs each set of variants in a process of its own; ends all of them. */
export async function runRows(options: RunRowsOptions): Promise<readonly RowResult[]> {
  const { rows, seed, isNew, workers, signal, onRow } = options
  const results: RowResult[] = []
  await pMap(
    rows,
    async (ids) => {
      if (signal.aborted) return
      const result = await inProcess({ ids, seed, added: ids.filter(isNew) }, signal)
      if (signal.aborted) return
      results.push(result)
      onRow(result, results.length)
    },
    { concurrency: workers },
  )
  return results
}

async function inProcess(order: RowOrder, signal: AbortSignal): Promise<RowResult> {
  const { ids } = order
  const child = fork(file, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  const halved = variants.some(({ id, halfProcessor }) => halfProcessor && ids.includes(id))
  const restore = halved ? halve(child) : () => {}
  const end = () => child.kill('SIGTERM')
  signal.addEventListener('abort', end, { once: true })
  const timer = setTimeout(end, longestMs)
  child.send(order)
  const answer = await Promise.race([once(child, 'message'), exited.then(() => undefined)])
  restore()
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  if (answer !== undefined) {
    await exited
    return answer[0] as RowResult
  }
  const broken = 'its process ended without a result'
  return { ids, conformant: false, passed: 0, alarms: [], broken, ms: 0 }
}
