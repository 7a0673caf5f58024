import { type Difference, jsonType, pathText } from 'polgate-lib/view/typedDiff.ts'
import type { CheckFinished } from '../core/events.ts'
import { normalised } from './normalised.ts'
import { jsonDifferences } from './structuralDiff.ts'

/** How an answer deviates from what a check expected: what tells the cause of a failure. */
export type Deviation = {
  readonly kind: DeviationKind
  /** Failures with the same key have the same cause. */
  readonly key: string
  /** Failures of checks of the same clause with the same form have the same cause. */
  readonly form?: string
  /** In one line, for a heading. */
  readonly text: string
}

/**
 * `code`: another error code than the expected one. `answer`: an error where something else was
 * expected. `members`: a JSON value whose members differ. `text`: anything else.
 */
export type DeviationKind = 'code' | 'answer' | 'members' | 'text'

/** Why failures with deviations of a kind are taken for one. */
export const deviationReasons: Readonly<Record<DeviationKind, string>> = {
  code: 'all have this error code where the same other one was expected',
  answer: 'the target answered all of them with this error',
  members: 'the same members differ, with the same values or in checks of the same clause',
  text: 'expectation and observation are the same, apart from values of each check',
}

const serviceCode = /-32\d{3}\b/g
const namedCode = /"code":\s?(-?\d+)/g

/** The error codes that a text names. */
const codesIn = (text: string): readonly string[] => [
  ...new Set([
    ...[...text.matchAll(namedCode)].map(([, code]) => code!),
    ...[...text.matchAll(serviceCode)].map(([code]) => code),
  ]),
]

function codeDeviation(expected: string, observed: string): Deviation | undefined {
  const wanted = codesIn(expected)
  const code = /"code":\s?(-?\d+)|^(-32\d{3})\b/.exec(observed)?.slice(1).find(Boolean)
  if (wanted.length === 0 || code === undefined || wanted.includes(code)) return undefined
  const text = `error code ${code} instead of ${wanted.join(' or ')}`
  return { kind: 'code', key: text, text }
}

/** An error object, or the `error` of a result, in what a check observed. */
function errorIn(observed: string): string | undefined {
  const code = /"code":\s?(-?\d+)/.exec(observed)?.[1]
  const message = /"(?:message|error)":\s?"((?:[^"\\]|\\.)*)/.exec(observed)?.[1]
  if (message === undefined || message === '') return undefined
  const data = /"(?:data|details)":\s?"((?:[^"\\]|\\.)*)/.exec(observed)?.[1]
  return [code ?? 'error', message, ...(data === undefined ? [] : [data])].join(' ')
}

/** Differences named in a heading. */
const mostNamed = 3

/** What differs, whatever the values: an index is that of no element in particular. */
function formOf(difference: Difference): string {
  const path = pathText(difference.path).replaceAll(/\[\d+\]/g, '[]')
  switch (difference.kind) {
    case 'missing':
      return `${path} is missing`
    case 'extra':
      return `${path} is not expected`
    case 'type':
      return `${path} is ${jsonType(difference.observed)} instead of ${jsonType(difference.expected)}`
    default:
      return `${path} has another value`
  }
}

function membersDeviation(differences: readonly Difference[], checkId: string): Deviation {
  const forms = [...new Set(differences.map(formOf))]
  const values = differences.map((difference) => {
    const sides = difference.kind === 'extra' ? [] : [JSON.stringify(difference.expected)]
    if (difference.kind !== 'missing') sides.push(JSON.stringify(difference.observed))
    return `${formOf(difference)} ${sides.join(' ')}`
  })
  const rest = forms.length - mostNamed
  const text = forms.slice(0, mostNamed).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
  return {
    kind: 'members',
    key: normalised(values.join('\n'), checkId),
    form: forms.join('\n'),
    text: normalised(text, checkId),
  }
}

/** A method is a camel-case part of the id of a check, such as `createTask`. */
function withoutMethod(text: string, checkId: string): string {
  const methods = checkId.split('.').filter((part) => /^[a-z]+[A-Z]\w*$/.test(part))
  return methods.reduce(
    (rest, method) => rest.replaceAll(new RegExp(`\\b(?:\\w+_)?${method}\\b`, 'g'), '<method>'),
    text,
  )
}

/** How a failure deviates from what its check expected. Pure, and never throws. */
export function deviationOf({
  id,
  reason = 'no reason given',
  expected = '',
  observed = '',
}: CheckFinished): Deviation {
  const code = codeDeviation(expected, observed)
  if (code !== undefined) return code
  const differences = jsonDifferences(expected, observed) ?? []
  const error = errorIn(observed)
  // Where an error was expected, it is the members of the error that deviate.
  if (error !== undefined && (differences.length === 0 || errorIn(expected) === undefined)) {
    const text = `the target answered ${normalised(error, id)}`
    return { kind: 'answer', key: text, text }
  }
  if (differences.length > 0) return membersDeviation(differences, id)
  const of = (text: string) => normalised(withoutMethod(text, id), id)
  const key = [reason, expected, observed].map(of).join('\n')
  return { kind: 'text', key, text: normalised(reason, id) }
}
