import { AppError } from 'polgate-lib/errors/appError.ts'
import { explorerDetail } from 'polgate-protocol/explorer.ts'
import type { QueryIssue } from './readQuery.ts'

type ErrorStatus = 400 | 401 | 403 | 404 | 422 | 429 | 500 | 503

/** The one family of errors that the explorer answers with: `{detail}` and a status (section 7.6). */
export class ExplorerError extends AppError<{ hint: string; clause: string; cause?: unknown }> {
  readonly status: ErrorStatus
  readonly detail: string | readonly QueryIssue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: ErrorStatus,
    detail: string | readonly QueryIssue[],
    options: {
      readonly clause?: string
      readonly hint: string
      readonly headers?: Readonly<Record<string, string>>
      readonly cause?: unknown
    },
  ) {
    const { clause = 'section 7.6', hint, headers = {}, cause } = options
    super(typeof detail === 'string' ? detail : 'the query is not valid', { clause, hint, cause })
    this.status = status
    this.detail = detail
    this.headers = headers
  }
}

const challenge = { 'www-authenticate': 'Bearer' }
/** Seconds until a retry when a dependency of the explorer is unavailable. */
const again = { 'retry-after': '1' }

export const keyRequired = () =>
  new ExplorerError(401, explorerDetail.keyRequired, {
    headers: challenge,
    hint: 'Send a key in one of the two headers.',
  })

export const keyInvalid = () =>
  new ExplorerError(401, explorerDetail.keyInvalid, {
    headers: challenge,
    hint: 'Use a key that has not been rotated or deleted and has not expired.',
  })

export const keysUnavailable = (cause: unknown) =>
  new ExplorerError(503, explorerDetail.keysUnavailable, {
    headers: again,
    hint: 'Retry with increasing delays.',
    cause,
  })

export const permissionMissing = () =>
  new ExplorerError(403, explorerDetail.permission, {
    hint: 'Use a key with rpc_read or rpc.',
  })

export const tooMany = (seconds: number) =>
  new ExplorerError(429, 'Rate limit exceeded', {
    clause: 'decisions, section 9',
    headers: { 'retry-after': String(seconds) },
    hint: 'Wait for the time in Retry-After.',
  })

export const invalidNetwork = () =>
  new ExplorerError(400, explorerDetail.invalidNetwork, {
    hint: 'Send one of the four networks, or omit the header for testnet.',
  })

export const invalidQuery = (issues: readonly QueryIssue[]) =>
  new ExplorerError(422, issues, {
    clause: 'section 7.6, decision X2',
    hint: 'Each entry names a query parameter and its problem.',
  })

export const notFound = (detail: string) =>
  new ExplorerError(404, detail, { hint: 'Check that it is on the network of the header.' })

/** The rows cannot be read. */
export const rowsUnavailable = (cause: unknown) =>
  new ExplorerError(503, 'Explorer data unavailable', {
    headers: again,
    hint: 'Retry with increasing delays.',
    cause,
  })

/** An internal error, which the response does not describe. */
export const internal = (cause: unknown) =>
  new ExplorerError(500, 'Internal error', {
    hint: 'Report it with the time of the request.',
    cause,
  })
