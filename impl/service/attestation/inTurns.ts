import { mainThread } from '../scheduling/computeQueue.ts'

/** Does a piece of work in one go. */
export function inOneGo<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Does a piece of work step by step, and lets everything else of the process have its turn. */
export async function inTurns<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const step = await mainThread.run('attestation', () => work.next())
    if (step.done === true) return step.value
  }
}
