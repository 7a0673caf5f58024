import type { ModuleSource } from 'polgate-rego/engine.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'

/** A program with its query and documents, the same for every engine. */
export type DiffProgram = {
  /** Libraries first: a module uses only earlier ones, because one peer loads them one by one. */
  readonly modules: readonly ModuleSource[]
  readonly query: string
  /** JSON texts. */
  readonly input?: string
  readonly data?: string
  /** Whether errors of built-ins end the evaluation. */
  readonly strict: boolean
}

/** What one engine says of a program. */
export type Answer =
  /** Canonical JSON text of the value. */
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'undefined' }
  /** `codes`: those of all errors reported, the first of them is the answer's. */
  | { readonly kind: 'error'; readonly codes: readonly string[]; readonly message: string }
  /** The engine gave no answer: it took too long or ended. Nothing to compare with. */
  | { readonly kind: 'none'; readonly message: string }

/** An engine to compare with, if installed. */
export type Peer = {
  readonly name: PeerName
  readonly version: string
  /** How often it was started again, after a program that ended it or that it did not answer in time. */
  readonly restarts: number
  /** One answer for each program, in order. */
  answers(programs: readonly DiffProgram[]): Promise<Answer[]>
  close(): Promise<void>
}

export type PeerName = 'opa' | 'regorus'

/** The same text for equal values: sorted members, one form of each number. */
export const valueAnswer = (json: string): Answer => ({
  kind: 'value',
  text: stringify(parseJson(json)),
})

/** One line for people. */
export function shown(answer: Answer): string {
  switch (answer.kind) {
    case 'value':
      return answer.text
    case 'undefined':
      return 'undefined'
    case 'error':
      return `${answer.codes[0]}: ${answer.message.split('\n')[0]}`
    case 'none':
      return `no answer: ${answer.message}`
  }
}

/**
 * Whether two engines say the same. Error codes are compared where both engines have them: of
 * several faults in a program either may be the first. `regorus` has no codes.
 */
export function agree(peer: PeerName, ours: Answer, theirs: Answer): boolean {
  if (ours.kind === 'none' || theirs.kind === 'none') return true
  if (ours.kind === 'value' && theirs.kind === 'value')
    return ours.text === theirs.text || errorsInOrder(ours.text) === errorsInOrder(theirs.text)
  if (ours.kind === 'error' && theirs.kind === 'error') {
    return (
      peer === 'regorus' ||
      ours.codes.some((code) => theirs.codes.includes(code)) ||
      // Two calls fail: engines may evaluate either first.
      (failing(ours.message) !== undefined &&
        failing(theirs.message) !== undefined &&
        failing(ours.message) !== failing(theirs.message))
    )
  }
  return ours.kind === theirs.kind
}

/**
 * OPA lists the errors of `json.match_schema` in the order of a map of Go, which is another one each time: a text of
 * values in which these lists are sorted.
 */
function errorsInOrder(text: string): string {
  if (!text.includes('"type":')) return text
  return JSON.stringify(JSON.parse(text), (_, value) =>
    Array.isArray(value) && value.every(isSchemaError)
      ? value.map((each) => JSON.stringify(each)).sort()
      : value,
  )
}

const isSchemaError = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).join() === 'desc,error,field,type'

/** The built-in that an error of the evaluation names. */
const failing = (message: string): string | undefined => /^([\w.]+): /.exec(message)?.[1]
