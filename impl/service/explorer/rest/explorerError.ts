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
/** Seconds after which to ask again when something behind the explorer is away. */
const again = { 'retry-after': '1' }

export const keyRequired = () =>
  new ExplorerError(401, explorerDetail.keyRequired, {
    headers: challenge,
    hint: 'Send a key in one of the two headers.',
  })

export const keyInvalid = () =>
  new ExplorerError(401, explorerDetail.keyInvalid, {
    headers: challenge,
    hint: 'Look for a key that has not been replaced, deleted or outlived.',
  })

export const keysUnavailable = (cause: unknown) =>
  new ExplorerError(503, explorerDetail.keysUnavailable, {
    headers: again,
    hint: 'Try again, with growing pauses.',
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
    hint: 'Wait as long as Retry-After says.',
  })

export const invalidNetwork = () =>
  new ExplorerError(400, explorerDetail.invalidNetwork, {
    hint: 'Name one of the four networks, or leave the header out for testnet.',
  })

export const invalidQuery = (issues: readonly QueryIssue[]) =>
  new ExplorerError(422, issues, {
    clause: 'section 7.6, decision X2',
    hint: 'Each entry names a member of the query and what is wrong with it.',
  })

export const notFound = (detail: string) =>
  new ExplorerError(404, detail, { hint: 'Is it on the network that the header names?' })

/** The rows cannot be read: the same as keys that cannot be checked, a moment later. */
export const rowsUnavailable = (cause: unknown) =>
  new ExplorerError(503, 'Explorer data unavailable', {
    headers: again,
    hint: 'Try again, with growing pauses.',
    cause,
  })

/** A fault of the explorer itself, of which nothing is told. */
export const internal = (cause: unknown) =>
  new ExplorerError(500, 'Internal error', { hint: 'Report it with the time.', cause })
