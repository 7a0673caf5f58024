import { evaluatePolicy } from './evaluatePolicy.ts'
import type { PlaygroundAnswer, PlaygroundRequest } from './evaluation.ts'

/** A request with its number, which the answer has too. */
export type WorkerRequest = { readonly id: number; readonly request: PlaygroundRequest }
export type WorkerAnswer = {
  readonly id: number
  readonly answer?: PlaygroundAnswer
  readonly failure?: string
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<WorkerRequest>) => void
  postMessage(answer: WorkerAnswer): void
}

scope.onmessage = async ({ data: { id, request } }) => {
  try {
    scope.postMessage({ id, answer: await evaluatePolicy(request) })
  } catch (error) {
    scope.postMessage({ id, failure: (error as Error).message.slice(0, 1_000) })
  }
}
