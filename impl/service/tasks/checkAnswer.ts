import type { Address } from 'polgate-protocol/scalars.ts'
import type {
  DataAnswer,
  EvaluationAnswer,
  OpeningAnswer,
  SignAnswer,
  Timings,
} from '../operators/operator.ts'
import { type OpeningRequest, readOpeningRequest } from '../threshold/opening.ts'
import { maxMembers } from '../threshold/roster.ts'
import { jsonBounds } from './jsonBounds.ts'
import { numbersOf, parseTree } from './numberLeaves.ts'
import { operatorFault } from './operatorFaults.ts'

/**
 * Anyone may run an operator, so its answers are untrusted input. Known members are copied one by
 * one and each is bounded; everything else is dropped.
 */

const maxOutputBytes = 1024 * 1024
const maxResultBytes = 1024 * 1024
const maxDepth = 128
/** More would not fit into one transaction on chain. */
const maxSettledValues = 20_000
const maxNumberLength = 1_024
const maxReasons = 1_000

const invalidAnswer = (what: string) => operatorFault('malformed', `: ${what}`)

/** @throws ServiceError unless there is one JSON object per source */
export function checkData(answer: DataAnswer, sources: number): DataAnswer {
  const { outputs, timings } = membersOf(answer)
  if (!Array.isArray(outputs) || outputs.length !== sources) {
    throw invalidAnswer('wrong number of outputs')
  }
  const texts = Array.from(outputs as readonly unknown[], (output) => {
    if (typeof output !== 'string' || output.length > maxOutputBytes || !isJsonObject(output)) {
      throw invalidAnswer('data is not a JSON object')
    }
    return output
  })
  return { outputs: texts, timings: timingsOf(timings) }
}

/**
 * Data that will be settled with the data of other operators: one operator must not determine how
 * much work that is.
 *
 * @throws ServiceError as `checkData`, and for too many values or digits
 */
export function checkSettledData(answer: DataAnswer, sources: number): DataAnswer {
  const { outputs } = membersOf(answer)
  const texts = Array.isArray(outputs) ? (outputs as readonly unknown[]) : []
  const bounds = texts.flatMap((text) =>
    typeof text === 'string' && text.length <= maxOutputBytes ? [jsonBounds(text)] : [],
  )
  if (bounds.reduce((sum, { values }) => sum + values, 0) > maxSettledValues) {
    throw invalidAnswer(`data has more than ${maxSettledValues} values`)
  }
  const checked = checkData(answer, sources)
  // Parsing the numbers costs as much as everything else.
  if (bounds.every(({ numberLength }) => numberLength <= maxNumberLength)) return checked
  const numbers = checked.outputs.flatMap((output) => numbersOf(parseTree(output)))
  if (numbers.some(({ text }) => text.length > maxNumberLength)) {
    throw invalidAnswer(`a number has more than ${maxNumberLength} characters`)
  }
  return checked
}

/** @throws ServiceError unless result and data are JSON texts and the reasons are strings */
export function checkEvaluation(answer: EvaluationAnswer): EvaluationAnswer {
  const { result, wasm, reasons, policy, input, timings } = membersOf(answer)
  if (typeof result !== 'string' || result.length > maxResultBytes || !isJson(result)) {
    throw invalidAnswer('result is not JSON')
  }
  if (typeof wasm !== 'string' || !isJsonObject(wasm)) throw invalidAnswer('data is not JSON')
  if (!isReasons(reasons)) throw invalidAnswer('reasons are not strings')
  if (typeof policy !== 'string' || typeof input !== 'string') {
    throw invalidAnswer('policy or input is not a string')
  }
  return { result, wasm, reasons: [...reasons], policy, input, timings: timingsOf(timings) }
}

/** @throws ServiceError unless there are at most as many requests as envelopes */
export function checkOpening(answer: OpeningAnswer, envelopes: number): OpeningAnswer {
  const { requests } = membersOf(answer)
  if (!Array.isArray(requests) || requests.length > envelopes)
    throw invalidAnswer('wrong number of openings')
  return { requests: Array.from(requests as readonly unknown[], openingRequestOf) }
}

function openingRequestOf(given: unknown): OpeningRequest {
  try {
    const { opener, envelope, claim, statement } = readOpeningRequest(given)
    const { body, signature } = statement
    return { opener, envelope, claim, statement: { body, signature } }
  } catch {
    throw invalidAnswer('an opening is malformed')
  }
}

/** @throws ServiceError unless there are a result and two coordinates */
export function checkSignature(answer: SignAnswer): SignAnswer {
  const { evaluationResult, signature, timings, wrongPartials } = membersOf(answer)
  if (
    typeof evaluationResult !== 'string' ||
    evaluationResult.length > 2 + 2 * maxResultBytes ||
    !/^0x(?:[0-9a-fA-F]{2})*$/.test(evaluationResult)
  ) {
    throw invalidAnswer('result is not hex bytes')
  }
  const { X, Y } = membersOf(signature)
  if (!isCoordinate(X) || !isCoordinate(Y))
    throw invalidAnswer('signature has no valid coordinates')
  return {
    // Normalized, because results are compared as text.
    evaluationResult: evaluationResult.toLowerCase() as `0x${string}`,
    signature: { X, Y },
    reasons: [],
    timings: timingsOf(timings),
    ...(wrongPartials === undefined ? {} : { wrongPartials: addressesOf(wrongPartials) }),
  }
}

/** Of members of the shared key, each once. */
function addressesOf(given: unknown): readonly Address[] {
  const all = Array.isArray(given)
    ? Array.from((given as readonly unknown[]).slice(0, maxMembers))
    : []
  const form = /^0x[0-9a-fA-F]{40}$/
  return [
    ...new Set(all.filter((one): one is Address => typeof one === 'string' && form.test(one))),
  ]
}

/** The members of an object; empty for any other value. */
const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const isCoordinate = (value: unknown): value is `0x${string}` =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)

const isReasons = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= maxReasons &&
  Array.from(value as readonly unknown[]).every((reason) => typeof reason === 'string')

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isJsonObject(text: string): boolean {
  // A linear scan is a hundred times cheaper than parsing.
  if (jsonBounds(text).depth > maxDepth) return false
  try {
    return parseTree(text) instanceof Map
  } catch {
    return false
  }
}

const stages = ['oracle', 'rego', 'signing']

/** The times of known stages. */
function timingsOf(timings: unknown): Timings {
  const given = membersOf(timings)
  return Object.fromEntries(
    stages.flatMap((stage) => {
      const value = Object.hasOwn(given, stage) ? given[stage] : undefined
      return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
        ? [[stage, value]]
        : []
    }),
  )
}
