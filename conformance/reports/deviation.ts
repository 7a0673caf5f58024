import { type Difference, jsonType, pathText } from 'polgate-lib/view/typedDiff.ts'
import type { CheckFinished } from '../core/events.ts'
import { readable } from '../core/shorten.ts'
import { type AnswerText, answerIn } from './answerText.ts'
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
  /** The same without the values of the failure, for failures that have different ones. */
  readonly general: string
}

/**
 * `code`: another error code than the expected one. `status`: another HTTP status. `success`: a result where an
 * error was expected. `answer`: an error where something else was expected. `members`: a JSON value whose members
 * differ. `text`: anything else.
 */
export type DeviationKind = 'code' | 'status' | 'success' | 'answer' | 'members' | 'text'

/** Why failures with deviations of a kind are taken for one. */
export const deviationReasons: Readonly<Record<DeviationKind, string>> = {
  code: 'all have this error code where the same other one was expected',
  status: 'all have this HTTP status where the same other one was expected',
  success: 'the target accepted all of them where the same refusal was expected',
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

/** A text that is about an error: `a failure`, `-32602, in an error object`. */
const refusalWord = /\b(?:error|failure|refus\w+|reject\w+|failed)\b/i

function codeDeviation(wanted: readonly string[], { code }: AnswerText): Deviation | undefined {
  if (wanted.length === 0 || code === undefined || wanted.includes(code)) return undefined
  const text = `error code ${code} instead of ${wanted.join(' or ')}`
  return { kind: 'code', key: text, text, general: text }
}

/** `200`, `401 or 403`, `HTTP 401`. */
const statusList = /^(?:HTTP )?(\d{3}(?:(?: or |, )\d{3})*)$/

function statusDeviation(
  { reason = '', expected = '', observed = '' }: CheckFinished,
  answer: AnswerText,
): Deviation | undefined {
  if (!/\bHTTP\b|\bstatus\b/i.test(`${reason} ${expected} ${observed}`)) return undefined
  const wanted = statusList.exec(expected)?.[1]?.match(/\d{3}/g) ?? []
  const { status } = answer
  if (wanted.length === 0 || status === undefined || wanted.some((each) => each === status))
    return undefined
  // Where a result was expected, the status follows from the error.
  if (answer.error !== undefined && wanted.every((each) => Number(each) < 400)) return undefined
  const text = `HTTP status ${status} instead of ${wanted.join(' or ')}`
  return { kind: 'status', key: text, text, general: text }
}

function successDeviation(
  expected: string,
  wanted: readonly string[],
  { isSuccess }: AnswerText,
): Deviation | undefined {
  if (!isSuccess || !(wanted.length > 0 || refusalWord.test(expected))) return undefined
  return withValues('success', `success instead of ${refusalText(expected, wanted)}`)
}

const refusalText = (expected: string, wanted: readonly string[]) =>
  wanted.length > 0 ? `error ${wanted.join(' or ')}` : expected

/** Of a text whose values belong to one check: failures that differ in them alone have one cause. */
function withValues(kind: DeviationKind, text: string, checkId = ''): Deviation {
  const general = normalised(text, checkId)
  return { kind, key: general, text, general }
}

/** A failure where a refusal, or something else, was expected. */
function answerDeviation(
  { id, expected = '' }: CheckFinished,
  error: string,
  wanted: readonly string[],
): Deviation {
  // An error object is wanted, and a result reports the failure.
  const instead =
    wanted.length > 0 ? ` in a result, instead of ${refusalText(expected, wanted)}` : ''
  return withValues('answer', `answered ${error}${instead}`, id)
}

/** Differences named in a heading, and characters of each value. */
const mostNamed = 3
const longestNamed = 60

const valueText = (value: unknown) => readable(JSON.stringify(value), longestNamed)

type DifferenceText = { readonly general: string; readonly whole: string }

/** What differs, without and with the values: an index is that of no element in particular. */
function differenceText(difference: Difference): DifferenceText {
  const path = pathText(difference.path).replaceAll(/\[\d+\]/g, '[]')
  const same = (text: string) => ({ general: text, whole: text })
  switch (difference.kind) {
    case 'missing':
      return same(`${path} is missing`)
    case 'extra':
      return same(`${path} is not expected`)
    case 'type':
      return same(
        `${path} is ${jsonType(difference.observed)} instead of ${jsonType(difference.expected)}`,
      )
    default:
      return {
        general: `${path} has another value`,
        whole: `${path} is ${valueText(difference.observed)} instead of ${valueText(difference.expected)}`,
      }
  }
}

function listed(texts: readonly string[]): string {
  const all = [...new Set(texts)]
  const rest = all.length - mostNamed
  return all.slice(0, mostNamed).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
}

function membersDeviation(differences: readonly Difference[], checkId: string): Deviation {
  const texts = differences.map(differenceText)
  const values = differences.map((difference, i) => {
    const sides = difference.kind === 'extra' ? [] : [JSON.stringify(difference.expected)]
    if (difference.kind !== 'missing') sides.push(JSON.stringify(difference.observed))
    return `${texts[i]!.general} ${sides.join(' ')}`
  })
  return {
    kind: 'members',
    key: normalised(values.join('\n'), checkId),
    form: [...new Set(texts.map(({ general }) => general))].join('\n'),
    text: listed(texts.map(({ whole }) => whole)),
    general: listed(texts.map(({ general }) => general)),
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
export function deviationOf(result: CheckFinished): Deviation {
  const { id, reason = 'no reason given', expected = '', observed = '' } = result
  const answer = answerIn(observed)
  const wanted = codesIn(expected)
  const told =
    codeDeviation(wanted, answer) ??
    statusDeviation(result, answer) ??
    successDeviation(expected, wanted, answer)
  if (told !== undefined) return told
  const differences = jsonDifferences(expected, observed) ?? []
  const { code, error } = answer
  const isExpectedError = code !== undefined && wanted.includes(code)
  // Where an error was expected, it is the members of the error that deviate.
  if (
    error !== undefined &&
    !isExpectedError &&
    (differences.length === 0 || answerIn(expected).error === undefined)
  )
    return answerDeviation(result, error, code === undefined ? wanted : [])
  if (differences.length > 0) return membersDeviation(differences, id)
  const of = (text: string) => normalised(withoutMethod(text, id), id)
  const key = [reason, expected, observed].map(of).join('\n')
  return { kind: 'text', key, text: reason, general: normalised(reason, id) }
}
