import { RegoError } from '../../errors.ts'
import { JsonError, parseJson } from '../../values/parseJson.ts'
import { isObject, type ObjectValue, type Value } from '../../values/value.ts'

/** One source of confidential data that a policy client has set. */
export type ConfidentialSource = {
  /** Whether its provider grants the client access. */
  readonly granted: boolean
  /** The document of the provider; null if it has published none. */
  readonly data: ObjectValue | null
}

/** The documents that were opened for one evaluation, and are wiped after it. */
export type PrivateData = {
  /** Null if the user has linked no identity, or none is registered. */
  readonly identity: ObjectValue | null
  /** By data type. */
  readonly confidential: ReadonlyMap<string, ConfidentialSource>
  /** `data.privacy` */
  readonly privacy: ObjectValue
}

/**
 * Reads private data: `{"identity": object | null, "confidential": {"<data type>": {"granted": boolean,
 * "data": object | null}}, "privacy": object}`.
 *
 * @throws RegoError with a constant text
 */
export function privateDataOf(json: string): PrivateData {
  const document = parsed(json)
  const identity = document.get('identity')
  if (identity !== null && !(identity !== undefined && isObject(identity))) throw malformed()
  const confidential = new Map<string, ConfidentialSource>()
  objectOf(document.get('confidential')).forEach((dataType, source) => {
    confidential.set(String(dataType), sourceOf(source))
  })
  return { identity, confidential, privacy: objectOf(document.get('privacy')) }
}

function parsed(json: string): ObjectValue {
  try {
    return objectOf(parseJson(json, { written: true }))
  } catch (error) {
    // Its message may quote the text.
    if (error instanceof JsonError) throw malformed()
    throw error
  }
}

function sourceOf(value: Value): ConfidentialSource {
  const source = objectOf(value)
  const [granted, data] = [source.get('granted'), source.get('data')]
  if (typeof granted !== 'boolean') throw malformed()
  return { granted, data: data === null ? null : objectOf(data) }
}

function objectOf(value: Value | undefined): ObjectValue {
  if (value === undefined || !isObject(value)) throw malformed()
  return value
}

const malformed = (): RegoError =>
  new RegoError('eval_internal_error', 'the private data of the evaluation is malformed')
