import { equal } from '../values/compare.ts'
import { stringify } from '../values/json.ts'
import { isComposite, type Value } from '../values/value.ts'

/** Whether two keys are one in the type of an object. As in OPA, whose types have keys of JSON, `{1}` is `[1]`. */
export const sameKey = (a: Value, b: Value): boolean =>
  equal(a, b) || (isComposite(a) && isComposite(b) && stringify(a) === stringify(b))
