import { mainThread } from '../scheduling/computeQueue.ts'

/** Runs a generator to its end synchronously. */
export function runSync<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Runs a generator step by step, and yields to the event loop between steps. */
export async function runYielding<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const step = await mainThread.run('attestation', () => work.next())
    if (step.done === true) return step.value
  }
}
