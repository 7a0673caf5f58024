import { isArray, isComposite, isSet, type Value } from 'polgate-rego/values/value.ts'
import { engine, isBig, isInteger, partsOf, sortOf, text } from './callMatchers.ts'
import { textOf } from './callsOf.ts'
import type { Matcher } from './matcher.ts'

/** The verbs of a format, with flags and widths: `%-5d`; `%` alone at its end. */
const verbsOf = (format: Value | undefined): readonly string[] =>
  text(format)
    .replaceAll('%%', '')
    .match(/%[-+# 0-9.[\]*]*[\s\S]?/gu) ?? []

const itemsOf = (values: Value | undefined): readonly Value[] =>
  values !== undefined && isArray(values) ? values : []

/** Whether a verb and its value are so. */
function somePair(
  [format, values]: readonly Value[],
  is: (verb: string, value: Value) => boolean,
): boolean {
  const verbs = verbsOf(format)
  return itemsOf(values).some((value, i) => is(verbs[i] ?? '', value))
}

const isNumeric = (value: Value): boolean => sortOf(value) === 'number'

/** In the text of such a value nothing is left to the engine: no empty set, fraction or escape. */
function isPlain(value: Value): boolean {
  if (isNumeric(value)) return isInteger(value)
  if (typeof value === 'string') return /^[\x20-\x7e]*$/.test(value)
  return !(isSet(value) && value.size === 0) && partsOf(value).every(isPlain)
}

function isOddOperand(verb: string, value: Value): boolean {
  if (/[bdxX]$/.test(verb)) return !isInteger(value) || isBig(value)
  if (isNumeric(value)) return verb.endsWith('s') || !isInteger(value)
  return isComposite(value) && !isPlain(value)
}

/** Entries about `sprintf` in the engine at 0.9. */
export const ENGINE_SPRINTF_MATCHERS: Readonly<Record<string, Matcher>> = {
  'engine-sprintf': engine(
    ['sprintf'],
    ([format, values], result) =>
      verbsOf(format).length !== itemsOf(values).length ||
      /%!(?:\(NOVERB|\(EXTRA|.\(MISSING|\(BAD)/.test(textOf(result)),
  ),
  'engine-sprintf-negative-integers': engine(['sprintf'], (args) =>
    somePair(
      args,
      (verb, value) => /[bdoOxX]$/.test(verb) && isInteger(value) && (value as number | bigint) < 0,
    ),
  ),
  'engine-sprintf-verbs': engine(['sprintf'], ([format]) =>
    verbsOf(format).some((verb) => !/^%[bdsvxX]$/.test(verb)),
  ),
  'engine-sprintf-operands': engine(['sprintf'], (args) => somePair(args, isOddOperand)),
}
