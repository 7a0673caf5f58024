import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Network } from 'polgate-protocol/explorer.ts'
import type { ExplorerQueries } from '../../store/explorer/explorerQueries.ts'

/** A request that has passed every check except existence. */
export type RouteRequest<Query> = {
  readonly network: Network
  readonly chainId: number
  /** Queries of that chain; empty ones if the path has a malformed id or address (decision X3). */
  readonly queries: ExplorerQueries
  /** The variable part of the path, lower case. */
  readonly named: string
  readonly query: Query
}

/**
 * One path of section 4.12. The checks of a request, its response, the OpenAPI document and the
 * documentation page are derived from it.
 */
export type Route = {
  /** Operation id, such as `listTasks`. */
  readonly name: string
  /** With `{...}` for the variable part. */
  readonly path: string
  readonly summary: string
  readonly description?: string | undefined
  /** The variable part of the path, and its schema. */
  readonly named?:
    | { readonly name: string; readonly schema: TSchema; readonly description: string }
    | undefined
  readonly query: TObject
  readonly result: TSchema
  /** `detail` of 404; absent for a path that always has a result. */
  readonly notFound?: string | undefined
  /** Undefined when not found. */
  answer(request: RouteRequest<unknown>): Promise<unknown>
}

/** Types `answer` by its query. */
export const route = <Query extends TObject>(
  given: Omit<Route, 'answer' | 'query'> & {
    readonly query: Query
    answer(request: RouteRequest<Static<Query>>): Promise<unknown>
  },
): Route => given as Route
