import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Report, Trial } from './trial.ts'

export type TrialsOptions = {
  /** Timeout in milliseconds, after which a trial counts as hung and its thread is terminated. */
  readonly timeout: number
  /** Heap limit of the thread in megabytes; a trial that exceeds it ends the thread. */
  readonly heapMb: number
}

/** The result of a trial, or how it ended its thread. */
export type Ending =
  | Report
  | { readonly kind: 'hung'; readonly message: string }
  | { readonly kind: 'died'; readonly message: string }

/** A thread with the engine and one trial in flight; replaced if the trial times out. */
export class Trials {
  private readonly options: TrialsOptions
  private worker: Worker | undefined

  constructor(options: TrialsOptions) {
    this.options = options
  }

  async run(trial: Trial): Promise<Ending> {
    const worker = await this.started()
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort(), this.options.timeout)
    try {
      worker.postMessage(trial)
      const [report] = await once(worker, 'message', { signal: ended.signal })
      return report as Report
    } catch (error) {
      this.worker = undefined
      await worker.terminate()
      return ended.signal.aborted
        ? { kind: 'hung', message: `no answer within ${this.options.timeout} ms` }
        : { kind: 'died', message: (error as Error).message }
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate()
    this.worker = undefined
  }

  private async started(): Promise<Worker> {
    if (this.worker !== undefined) return this.worker
    const worker = new Worker(new URL('./trial.worker.mjs', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.options.heapMb, stackSizeMb: 1 },
    })
    await once(worker, 'message')
    this.worker = worker
    return worker
  }
}
