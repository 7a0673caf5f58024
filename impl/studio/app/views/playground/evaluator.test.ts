import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlaygroundAnswer, PlaygroundRequest } from '../../../playground/evaluation.ts'
import { createEvaluator, type EvaluationWorker } from './evaluator.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const request = {} as PlaygroundRequest
const answer = { milliseconds: 1 } as PlaygroundAnswer

/** Workers that answer when they are told to. */
function workers() {
  const started: (EvaluationWorker & { ended: boolean; ids: number[] })[] = []
  const start = () => {
    const worker = {
      ...{ onmessage: null, onerror: null, ended: false, ids: [] as number[] },
      postMessage: ({ id }: { id: number }) => void worker.ids.push(id),
      terminate: () => {
        worker.ended = true
      },
    } as (typeof started)[number]
    started.push(worker)
    return worker
  }
  const answered = (at: number, data: object) =>
    started[at]!.onmessage!({ data: { id: started[at]!.ids.at(-1), ...data } } as MessageEvent)
  return { started, start, answered }
}

test('a worker that answers in time is kept', async () => {
  const { started, start, answered } = workers()
  const { evaluate } = createEvaluator(start)
  for (let time = 0; time < 2; time += 1) {
    const pending = evaluate(request)
    answered(0, { answer })
    expect(await pending).toBe(answer)
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(started.map(({ ended }) => ended)).toEqual([false])
})

test('a worker that exceeds the time is terminated, and another one goes on', async () => {
  const { started, start, answered } = workers()
  const { evaluate } = createEvaluator(start)
  const late = expect(evaluate(request)).rejects.toThrow('took longer than 4 s')
  await vi.advanceTimersByTimeAsync(4_000)
  await late
  const next = evaluate(request)
  answered(1, { failure: 'x' })
  await expect(next).rejects.toThrow('x')
  expect(started.map(({ ended }) => ended)).toEqual([true, false])
})

test('a later request replaces one that is being evaluated', async () => {
  const { started, start, answered } = workers()
  const { evaluate } = createEvaluator(start)
  const first = expect(evaluate(request)).rejects.toMatchObject({ name: 'AbortError' })
  const second = evaluate(request)
  await first
  answered(1, { answer })
  expect([await second, started[0]!.ended]).toEqual([answer, true])
})
