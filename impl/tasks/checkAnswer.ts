import type { DataAnswer, EvaluationAnswer, SignAnswer } from '../operators/operator.ts'
import { errorCode } from '../protocol/jsonRpc.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import { parseTree } from './numberLeaves.ts'

/** An operator may be anybody's: what it answers is an input like any other. */

const mostOutputBytes = 1024 * 1024
const mostResultBytes = 1024 * 1024

const misbehaved = (what: string) =>
  new ServiceError(`operator answered ${what}`, {
    code: errorCode.internalError,
    clause: 'decision T8',
    hint: 'Update the operator: it does not speak the protocol of this gateway.',
  })

/** @throws ServiceError unless there is one JSON object for each source */
export function checkData(answer: DataAnswer, sources: number): DataAnswer {
  const { outputs } = answer
  if (!Array.isArray(outputs) || outputs.length !== sources) {
    throw misbehaved('another number of outputs than sources')
  }
  for (const output of outputs as readonly unknown[]) {
    if (typeof output !== 'string' || output.length > mostOutputBytes || !isJsonObject(output)) {
      throw misbehaved('data that is no JSON object')
    }
  }
  return { outputs, timings: timingsOf(answer) }
}

/** @throws ServiceError unless what goes into an answer as it is are JSON texts and reasons */
export function checkEvaluation(answer: EvaluationAnswer): EvaluationAnswer {
  const { result, wasm, reasons } = answer
  if (typeof result !== 'string' || result.length > mostResultBytes || !isJson(result)) {
    throw misbehaved('a result that is no JSON')
  }
  if (typeof wasm !== 'string' || !isJsonObject(wasm)) throw misbehaved('data that is no JSON')
  if (!Array.isArray(reasons) || reasons.some((reason) => typeof reason !== 'string')) {
    throw misbehaved('reasons that are no texts')
  }
  return answer
}

/** @throws ServiceError unless it is a result and a pair of coordinates */
export function checkSignature(answer: SignAnswer): SignAnswer {
  const { evaluationResult, signature, reasons } = answer
  const hex = /^0x(?:[0-9a-fA-F]{2})*$/
  if (
    typeof evaluationResult !== 'string' ||
    evaluationResult.length > 2 + 2 * mostResultBytes ||
    !hex.test(evaluationResult)
  ) {
    throw misbehaved('a result that is no bytes')
  }
  const coordinate = (value: unknown) =>
    typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)
  if (!coordinate(signature?.X) || !coordinate(signature?.Y)) {
    throw misbehaved('a signature that is no point')
  }
  return { evaluationResult, signature, reasons, timings: timingsOf(answer) }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isJsonObject(text: string): boolean {
  try {
    return parseTree(text) instanceof Map
  } catch {
    return false
  }
}

const timingsOf = ({ timings }: { readonly timings: Readonly<Record<string, number>> }) =>
  typeof timings === 'object' && timings !== null ? timings : {}
