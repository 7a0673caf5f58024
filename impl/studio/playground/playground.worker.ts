import { evaluatePolicy } from './evaluatePolicy.ts'
import type { WorkerAnswer, WorkerRequest } from './evaluation.ts'

/** What a worker of a browser has. */
const scope = globalThis as unknown as {
  onmessage: (event: { readonly data: WorkerRequest }) => void
  postMessage(answer: WorkerAnswer): void
}

scope.onmessage = async ({ data: { id, request } }) => {
  try {
    scope.postMessage({ id, answer: await evaluatePolicy(request) })
  } catch (error) {
    scope.postMessage({ id, failure: (error as Error).message.slice(0, 1_000) })
  }
}
