/**
 * The expected result where known engines disagree: IEEE 754 doubles with exact integers for
 * numbers, and OPA for everything else. Results are JSON text, `undefined`, or `ERR` and a code.
 */
export type Decision = {
  /** Any one of these. */
  readonly accept: readonly string[]
  readonly reason: string
}

const NUMERIC = 'integers are exact at any size, fractions are IEEE 754 doubles'
const PLAIN = 'numbers are printed in their shortest form'
const LATER = 'newer versions of OPA, by its own cases'

type Chosen = 'opa' | 'regorus' | { readonly answer: string }

/** Only expressions with different values in the engines; by default OPA's result is expected. */
const CHOSEN: Readonly<Record<string, readonly [Chosen, string]>> = {
  'ceil(-0.5)': ['regorus', 'rounds towards zero; the result 1 was a bug of old OPA'],
  'json.marshal([1.0,1e3,"é",null])': ['regorus', PLAIN],
  'json.marshal({"b":1.0,"a":{3,1}})': ['regorus', PLAIN],
  '[1,2,3][1.0]': ['regorus', '1.0 is the integer 1'],
  'units.parse("1e3")': ['regorus', LATER],
  'time.parse_ns("RFC3339","2020-02-03T01:02:03Z")': ['regorus', LATER],
  'time.format([1577836800000000000,"UTC","Monday, 02-Jan-06 15:04:05 MST"])': [
    { answer: '"Wednesday, 01-Jan-20 00:00:00 UTC"' },
    'the layout names the zone, as Go does',
  ],
}

const hasNoAnswer = (answer: string): boolean => answer === 'None' || answer === ''

/** Accepted results for an expression with these results in two engines. */
export function decide(expression: string, opa: string, regorus: string): Decision {
  const chosen = CHOSEN[expression]
  if (chosen !== undefined) {
    const [side, reason] = chosen
    const accept = side === 'opa' ? opa : side === 'regorus' ? regorus : side.answer
    return { accept: [accept], reason }
  }
  if (hasNoAnswer(opa)) return { accept: [regorus], reason: LATER }
  if (areNearNumbers(opa, regorus)) return { accept: [regorus], reason: NUMERIC }
  return { accept: [opa], reason: 'OPA' }
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/

/** Whether two numbers differ only in rounding. */
function areNearNumbers(opa: string, regorus: string): boolean {
  if (!NUMBER.test(opa) || !NUMBER.test(regorus)) return false
  const [a, b] = [Number(opa), Number(regorus)]
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}
