import type { KeyPermission } from '../../store/keyOptions.ts'

/** What the explorer needs to know of a key. */
export type ExplorerKey = {
  readonly id: string
  readonly permissions: readonly KeyPermission[]
}

/** Finds the record of a key, undefined when it is unknown or expired. Asked on every request. */
export type ExplorerKeys = { lookup(key: string): Promise<ExplorerKey | undefined> }

export type ExplorerRateLimit = { readonly perSecond: number; readonly burst: number }

/** Decisions, section 9. */
export const defaultExplorerRateLimit: ExplorerRateLimit = { perSecond: 100, burst: 200 }

/** Gives 0 when the request may go on, otherwise the whole seconds after which it may. */
export type ExplorerLimiter = { take(name: string, limit: ExplorerRateLimit): Promise<number> }
