import { LimitError } from '../errors.ts'
import type { Meter } from '../values/limits.ts'
import { isArray, isComposite, MAX_DEPTH, type Value } from '../values/value.ts'

/**
 * Charges an answer for the text it will be written as. Its parts may be shared, so that a value
 * of a few hundred bytes has gigabytes of text; whoever receives it may print it.
 * @throws LimitError when the text would not fit into the bound on memory
 */
export const chargeAnswer = (meter: Meter, value: Value, depth = 0): void => {
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
