import type { DiffProgram } from './answers.ts'
import type { Engines, Found } from './engines.ts'

/** Programs tried at a time. */
const BATCH = 16
const MAX_TRIED = 3_000

/** The same sort of difference: values remain values, errors keep their codes. */
const sort = ({ ours, theirs }: Found): string =>
  [ours, theirs].map((answer) => (answer.kind === 'error' ? answer.codes[0] : answer.kind)).join()

/**
 * The smallest program, of those that `steps` leads to, with the same sort of difference from the same
 * peer. `keep`: what else must remain so.
 */
export async function shrink(
  engines: Engines,
  found: Found,
  steps: (program: DiffProgram) => Iterable<DiffProgram>,
  keep: (found: Found) => boolean = () => true,
): Promise<Found> {
  let best = found
  let tried = 0
  for (let isSmaller = true; isSmaller && tried < MAX_TRIED; ) {
    isSmaller = false
    for (const batch of batches(steps(best.program), BATCH)) {
      tried += batch.length
      const asked = batch.map((program) => ({ program, peers: [found.peer] }))
      const next = (await engines.differences(asked))
        .flat()
        .find((each) => sort(each) === sort(found) && keep(each))
      if (next === undefined) continue
      best = next
      isSmaller = true
      break
    }
  }
  return best
}

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
