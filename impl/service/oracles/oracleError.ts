import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'

/**
 * Kinds of oracle failures.
 *
 * - `component`: the bytes are not a valid oracle (too large, wrong imports, wrong `run`)
 * - `work`: preparing the component takes more CPU time than allowed
 * - `late`: the component is not ready yet, or could not be prepared this time
 * - `trap`: the guest trapped, or ended in a way that the interface does not define
 * - `wall-clock`, `memory`, `input`, `output`, `queue`: a limit of decision O4 was reached
 * - `result`: `run` returned its `err` case
 * - `not-json`: `run` returned something other than a JSON object (decision R5)
 * - `aborted`: the caller cancelled the run, or the host was closed
 * - `content`: the id of the component is not a content id
 */
export type OracleErrorCode =
  | 'component'
  | 'work'
  | 'late'
  | 'trap'
  | 'wall-clock'
  | 'memory'
  | 'input'
  | 'output'
  | 'queue'
  | 'result'
  | 'not-json'
  | 'aborted'
  | 'content'

/** The prefix of the message of every oracle failure (section 7.3). */
export const wasmFailurePrefix = 'WASM execution failed: '

/** One failed oracle run or load. `message` is safe to show: it never carries a secret. */
export class OracleError extends AppError<{ code: OracleErrorCode } & AppErrorDetails> {
  /** The part of `message` after the prefix. */
  readonly details: string

  constructor(code: OracleErrorCode, details: string, options?: { cause?: unknown }) {
    super(`${wasmFailurePrefix}${details}`, { ...options, code, clause: 'section 7.3' })
    this.details = details
  }
}
