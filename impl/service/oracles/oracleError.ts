import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'

/**
 * What went wrong with an oracle.
 *
 * - `component`: the bytes are no component an oracle may be (too large, wrong imports, wrong `run`)
 * - `work`: making the component ready takes more computing than it may
 * - `late`: the component is not ready yet, or could not be made ready this time
 * - `trap`: the guest trapped, or ended in a way the interface does not know
 * - `wall-clock`, `memory`, `input`, `output`, `queue`: a limit of decision O4 was reached
 * - `result`: `run` answered with its `err` case
 * - `not-json`: `run` answered with something that is no JSON object (decision R5)
 * - `aborted`: the caller gave up, or the host was closed
 * - `content`: what should name the component is no content id
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

/** The text every failure of an oracle begins with (section 7.3). */
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
