import { LimitError } from '../errors.ts'
import type { Meter } from '../values/limits.ts'
import { isArray, isComposite, MAX_DEPTH, type Value } from '../values/value.ts'

/**
 * Charges a result for its text. Parts may be shared, so that a value of a few hundred bytes can
 * have gigabytes of text.
 *
 * @throws LimitError if the text exceeds the memory limit
 */
export function chargeAnswer(meter: Meter, value: Value, depth = 0): void {
  if (!isComposite(value)) {
    meter.allocate(typeof value === 'string' ? value.length + 2 : 8)
    return
  }
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  meter.charge(1)
  if (isArray(value)) {
    for (const item of value) chargeAnswer(meter, item, depth + 1)
  } else if (value.kind === 'set') {
    value.forEach((item) => {
      chargeAnswer(meter, item, depth + 1)
    })
  } else {
    value.forEach((key, item) => {
      chargeAnswer(meter, key, depth + 1)
      chargeAnswer(meter, item, depth + 1)
    })
  }
}
