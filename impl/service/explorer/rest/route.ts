import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Network } from 'polgate-protocol/explorer.ts'
import type { ExplorerQueries } from '../../store/explorer/explorerQueries.ts'

/** One request that has passed every check but whether what it names is there. */
export type RouteRequest<Query> = {
  readonly network: Network
  readonly chainId: number
  /** Of that chain; of nothing where the path holds what can be no id or address (decision X3). */
  readonly queries: ExplorerQueries
  /** The variable part of the path, lower case. */
  readonly named: string
  readonly query: Query
}

/**
 * One path of section 4.12. From this the request is checked, the answer made, the document and the
 * page of documentation written.
 */
export type Route = {
  /** Of the operation, such as `listTasks`. */
  readonly name: string
  /** With `{...}` for the variable part. */
  readonly path: string
  readonly summary: string
  readonly description?: string | undefined
  /** The variable part of the path, and what it has to be. */
  readonly named?:
    | { readonly name: string; readonly schema: TSchema; readonly description: string }
    | undefined
  readonly query: TObject
  readonly result: TSchema
  /** `detail` of 404; a path without one always has an answer. */
  readonly notFound?: string | undefined
  /** Undefined when nothing is there. */
  answer(request: RouteRequest<unknown>): Promise<unknown>
}

/** Gives `answer` the type of its query. */
export const route = <Query extends TObject>(
  given: Omit<Route, 'answer' | 'query'> & {
    readonly query: Query
    answer(request: RouteRequest<Static<Query>>): Promise<unknown>
  },
): Route => given as Route
