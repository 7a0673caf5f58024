import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Case, CasesError } from './cases.ts'
import type { Result } from './gates.ts'
import type { Verdict } from './judge.ts'

export type RunOptions = {
  readonly dir: string
  /** Timeout of a case, after which its thread is terminated. */
  readonly timeout: number
  readonly onResult?: (result: Result) => void
}

/** A thread with one case in flight; replaced if the case times out. */
class Runner {
  private worker: Worker | undefined
  private readonly options: RunOptions

  constructor(options: RunOptions) {
    this.options = options
  }

  async run(one: Case, index: number): Promise<Verdict> {
    this.worker ??= await start(this.options.dir)
    const worker = this.worker
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort(), this.options.timeout)
    try {
      worker.postMessage({ set: one.set, index })
      const [verdict] = await once(worker, 'message', { signal: ended.signal })
      return verdict as Verdict
    } catch (error) {
      this.worker = undefined
      await worker.terminate()
      const got = ended.signal.aborted
        ? `no result within ${this.options.timeout} ms`
        : `the engine crashed: ${(error as Error).stack ?? error}`
      return { passed: false, wanted: 'an answer', got }
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate()
  }
}

/** A thread that has loaded the engine. @throws CasesError if loading fails */
async function start(dir: string): Promise<Worker> {
  const worker = new Worker(new URL('./cases.worker.mjs', import.meta.url), { workerData: { dir } })
  try {
    await once(worker, 'message')
    return worker
  } catch (cause) {
    throw new CasesError(`failed to load the engine: ${(cause as Error).message}`, { cause })
  }
}

/** Runs cases sequentially, each with a timeout. `index` is the position in its set. */
export async function runCases(
  cases: readonly { readonly case: Case; readonly index: number }[],
  options: RunOptions,
): Promise<readonly Result[]> {
  const runner = new Runner(options)
  const results: Result[] = []
  try {
    for (const { case: one, index } of cases) {
      const result: Result =
        one.skip !== undefined
          ? { case: one, status: 'skipped', reason: one.skip }
          : toResult(one, await runner.run(one, index))
      results.push(result)
      options.onResult?.(result)
    }
  } finally {
    await runner.close()
  }
  return results
}

const toResult = (one: Case, verdict: Verdict): Result => ({
  case: one,
  status: verdict.passed ? 'passed' : 'failed',
  wanted: verdict.wanted,
  got: verdict.got,
  ...(verdict.textMatches === undefined ? {} : { textMatches: verdict.textMatches }),
})
