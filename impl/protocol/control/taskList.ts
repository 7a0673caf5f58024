/** Answer of `GET /tasks` of the control API: the tasks of the gateway, newest first. */

export const taskStatuses = ['pending', 'processing', 'success', 'failed', 'timeout'] as const

export type TaskListRow = {
  readonly id: string
  readonly status: (typeof taskStatuses)[number]
  /** Null where it is not known. */
  readonly method: string | null
  readonly client: string
  /** Null unless the operators have agreed on one. */
  readonly decision: 'allow' | 'deny' | null
  readonly error: string | null
  /** Why it was denied, of the latest tasks of a local stack: what is signed has no reasons. */
  readonly reasons: readonly string[]
  /** ISO 8601. */
  readonly createdAt: string | null
  readonly finishedAt: string | null
  /** Of the response on chain. */
  readonly posting: 'queued' | 'posted' | 'failed' | null
  readonly spentAt: string | null
  readonly challenge: 'unchallenged' | 'success' | 'unsuccessful' | null
}

export type TaskList = {
  readonly page: number
  readonly size: number
  readonly rows: readonly TaskListRow[]
  /** Whether there is another page. */
  readonly more: boolean
  /** Of the whole list; null with filters. */
  readonly total: number | null
}
