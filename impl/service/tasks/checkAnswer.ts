import type { DataAnswer, EvaluationAnswer, SignAnswer, Timings } from '../operators/operator.ts'
import { jsonBounds } from './jsonBounds.ts'
import { numbersOf, parseTree } from './numberLeaves.ts'
import { operatorFault } from './operatorFaults.ts'

/**
 * An operator may be anybody's: what it answers is an input like any other. Members are taken one by
 * one, so nothing else of an answer goes on, and each has its bounds.
 */

const mostOutputBytes = 1024 * 1024
const mostResultBytes = 1024 * 1024
const mostDepth = 128
/** More could not be carried on chain in one transaction. */
const mostSettledValues = 20_000
const longestNumber = 1_024
const mostReasons = 1_000

const misbehaved = (what: string) => operatorFault('malformed', ` ${what}`)

/** @throws ServiceError unless there is one JSON object for each source */
export function checkData(answer: DataAnswer, sources: number): DataAnswer {
  const { outputs, timings } = membersOf(answer)
  if (!Array.isArray(outputs) || outputs.length !== sources) {
    throw misbehaved('another number of outputs than sources')
  }
  const texts = Array.from(outputs as readonly unknown[], (output) => {
    if (typeof output !== 'string' || output.length > mostOutputBytes || !isJsonObject(output)) {
      throw misbehaved('data that is no JSON object')
    }
    return output
  })
  return { outputs: texts, timings: timingsOf(timings) }
}

/**
 * Data that is to be settled with that of others: how much work that is must not be for one of them
 * to say.
 *
 * @throws ServiceError as `checkData`, and for more values or digits than can be settled
 */
export function checkSettledData(answer: DataAnswer, sources: number): DataAnswer {
  const { outputs } = membersOf(answer)
  const texts = Array.isArray(outputs) ? (outputs as readonly unknown[]) : []
  const bounds = texts.flatMap((text) =>
    typeof text === 'string' && text.length <= mostOutputBytes ? [jsonBounds(text)] : [],
  )
  if (bounds.reduce((sum, { values }) => sum + values, 0) > mostSettledValues) {
    throw misbehaved(`data of more than ${mostSettledValues} values`)
  }
  const checked = checkData(answer, sources)
  // Reading the numbers costs as much as all the rest.
  if (bounds.every(({ numberLength }) => numberLength <= longestNumber)) return checked
  const numbers = checked.outputs.flatMap((output) => numbersOf(parseTree(output)))
  if (numbers.some(({ text }) => text.length > longestNumber)) {
    throw misbehaved(`a number of more than ${longestNumber} characters`)
  }
  return checked
}

/** @throws ServiceError unless what goes into an answer as it is are JSON texts and reasons */
export function checkEvaluation(answer: EvaluationAnswer): EvaluationAnswer {
  const { result, wasm, reasons, policy, input, timings } = membersOf(answer)
  if (typeof result !== 'string' || result.length > mostResultBytes || !isJson(result)) {
    throw misbehaved('a result that is no JSON')
  }
  if (typeof wasm !== 'string' || !isJsonObject(wasm)) throw misbehaved('data that is no JSON')
  if (!isReasons(reasons)) throw misbehaved('reasons that are no texts')
  if (typeof policy !== 'string' || typeof input !== 'string') {
    throw misbehaved('no policy and no input')
  }
  return { result, wasm, reasons: [...reasons], policy, input, timings: timingsOf(timings) }
}

/** @throws ServiceError unless it is a result and a pair of coordinates */
export function checkSignature(answer: SignAnswer): SignAnswer {
  const { evaluationResult, signature, timings } = membersOf(answer)
  if (
    typeof evaluationResult !== 'string' ||
    evaluationResult.length > 2 + 2 * mostResultBytes ||
    !/^0x(?:[0-9a-fA-F]{2})*$/.test(evaluationResult)
  ) {
    throw misbehaved('a result that is no bytes')
  }
  const { X, Y } = membersOf(signature)
  if (!isCoordinate(X) || !isCoordinate(Y)) throw misbehaved('a signature that is no point')
  return {
    // One text for the same bytes: results are compared.
    evaluationResult: evaluationResult.toLowerCase() as `0x${string}`,
    signature: { X, Y },
    reasons: [],
    timings: timingsOf(timings),
  }
}

/** The members of what should be an object, whatever it is. */
const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const isCoordinate = (value: unknown): value is `0x${string}` =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)

const isReasons = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= mostReasons &&
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
  // Counting is a hundred times faster than finding out by parsing.
  if (jsonBounds(text).depth > mostDepth) return false
  try {
    return parseTree(text) instanceof Map
  } catch {
    return false
  }
}

const stages = ['oracle', 'rego', 'signing']

/** Of the stages that there are, those with a time. */
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
