import type { DiffProgram } from './answers.ts'
import type { Engines, Found } from './engines.ts'

/** Programs tried at a time. */
const BATCH = 8
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
    // After a smaller program its next step is tried, not again all before it.
    for (let at = 0; tried < MAX_TRIED; ) {
      const batch = some(steps(best.program), at, BATCH)
      if (batch.length === 0) break
      tried += batch.length
      const asked = batch.map((program) => ({ program, peers: [found.peer] }))
      const answers = await engines.differences(asked)
      const kept = answers
        .map(([each]) => each)
        .map((each) => (each && sort(each) === sort(found) && keep(each) ? each : undefined))
      const i = kept.findIndex((each) => each !== undefined)
      at += i < 0 ? batch.length : i
      if (i < 0) continue
      best = kept[i]!
      isSmaller = true
    }
  }
  return best
}

function some<T>(items: Iterable<T>, from: number, count: number): T[] {
  const found: T[] = []
  let at = 0
  for (const item of items) {
    if (at++ < from) continue
    found.push(item)
    if (found.length === count) break
  }
  return found
}
