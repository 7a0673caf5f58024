import type { KeyPermission } from '../../store/keyOptions.ts'

/** The parts of a key's record that the explorer needs. */
export type ExplorerKey = {
  readonly id: string
  readonly permissions: readonly KeyPermission[]
}

/** Looks up a key on every request; undefined when it is unknown or expired. */
export type ExplorerKeys = { lookup(key: string): Promise<ExplorerKey | undefined> }

export type ExplorerRateLimit = { readonly perSecond: number; readonly burst: number }

/** Decisions, section 9. */
export const defaultExplorerRateLimit: ExplorerRateLimit = { perSecond: 100, burst: 200 }

/** Returns 0 when the request may proceed, otherwise the whole seconds until it may. */
export type ExplorerLimiter = { take(name: string, limit: ExplorerRateLimit): Promise<number> }
