import type {
  PlaygroundAnswer,
  PlaygroundRequest,
  WorkerAnswer,
  WorkerRequest,
} from '../../../playground/evaluation.ts'

/** Evaluates in a worker, of which the latest request counts. */
export type Evaluator = {
  /** @throws Error when the time is over, and when a later request took its place */
  evaluate(request: PlaygroundRequest): Promise<PlaygroundAnswer>
  close(): void
}

/** Of a request that a later one replaced. */
export class ReplacedError extends DOMException {
  constructor() {
    super('a later evaluation took its place', 'AbortError')
  }
}

/** What the evaluator needs of a worker. */
export type EvaluationWorker = {
  onmessage: ((event: MessageEvent<WorkerAnswer>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(request: WorkerRequest): void
  terminate(): void
}

/** Milliseconds: the engine stops by itself after 2,000, except within a single built-in. */
const evaluationMs = 4_000

/**
 * One evaluation at a time: a worker that is busy with an older request, or exceeds the time, is
 * terminated, and the next request starts another.
 */
export function createEvaluator(
  start: () => EvaluationWorker,
  limitMs: number = evaluationMs,
): Evaluator {
  let worker: EvaluationWorker | undefined
  let pending: { id: number; reject: (reason: Error) => void } | undefined
  let last = 0

  function stop(reason: Error): void {
    worker?.terminate()
    worker = undefined
    pending?.reject(reason)
    pending = undefined
  }

  return {
    evaluate(request) {
      if (pending !== undefined) stop(new ReplacedError())
      worker ??= start()
      const own = worker
      last += 1
      const id = last
      return new Promise<PlaygroundAnswer>((resolve, reject) => {
        const timer = setTimeout(
          () => stop(new Error(`the evaluation took longer than ${limitMs / 1000} s`)),
          limitMs,
        )
        const settle = () => {
          clearTimeout(timer)
          pending = undefined
        }
        pending = {
          id,
          reject: (reason) => {
            clearTimeout(timer)
            reject(reason)
          },
        }
        own.onmessage = ({ data }) => {
          if (data.id !== id || pending?.id !== id) return
          settle()
          if (data.answer !== undefined) resolve(data.answer)
          else reject(new Error(data.failure ?? 'the evaluation failed'))
        }
        own.onerror = ({ message }) => stop(new Error(message || 'the engine could not be loaded'))
        own.postMessage({ id, request })
      })
    },
    close: () => stop(new ReplacedError()),
  }
}

/** The worker of this page's own file. */
export const startWorker = (): EvaluationWorker =>
  new Worker(new URL('../../../playground/playground.worker.ts', import.meta.url), {
    type: 'module',
  })
