import type { ComponentInterface } from './componentInterface.ts'
import { OracleError } from './oracleError.ts'
import type { RunCode } from './threadTask.ts'

/** A component that is ready to run. */
export type LoadedComponent = {
  interface: ComponentInterface
  key: string
  source: RunCode['source']
  modules: RunCode['modules']
  /** Estimated memory use. */
  bytes: number
}

export type LoadedComponents = {
  /** The component, loaded if necessary; it becomes the most recently used. */
  load(cid: string, prepare: () => Promise<LoadedComponent>): Promise<LoadedComponent>
  /**
   * Uses a loaded component, which is not evicted meanwhile.
   * @returns undefined for a component that is not loaded
   */
  use<Result>(
    cid: string,
    work: (component: LoadedComponent) => Promise<Result>,
  ): Promise<Result> | undefined
  /** Estimated memory use of all loaded components. */
  readonly bytes: number
  readonly count: number
  clear(): void
}

type Entry = {
  loading: Promise<LoadedComponent>
  /** The number of runs that use it, including its loading. */
  users: number
  /** 0 until it is loaded. */
  bytes: number
}

/** Memory per byte of a core module: the module itself, and its compiled code. */
const bytesPerModuleByte = 3
const rejectedForMs = 600_000
const maxRejected = 1_000

/** Estimated memory use of a compiled component. */
export function estimatedBytes(source: string, modules: readonly Uint8Array[]): number {
  const moduleBytes = modules.reduce((sum, { length }) => sum + length, 0)
  return source.length * 2 + moduleBytes * bytesPerModuleByte
}

/**
 * An LRU cache of compiled components by content id, limited in number and bytes. A rejection of
 * the bytes is cached for a while too: a content id always has the same bytes, and detecting that
 * they are not an oracle may have been expensive. Any other failure is retried by the next call
 * (decision O8).
 */
export function createLoadedComponents(options: {
  most: number
  mostBytes: number
  clock: { now(): number }
}): LoadedComponents {
  const entries = new Map<string, Entry>()
  const rejected = new Map<string, { error: OracleError; until: number }>()
  let bytes = 0

  return {
    get bytes() {
      return bytes
    },
    get count() {
      return entries.size
    },
    load: async (cid, prepare) => await (touched(cid) ?? begin(cid, prepare)).loading,
    use(cid, work) {
      const entry = touched(cid)
      if (!entry) return undefined
      entry.users += 1
      return entry.loading.then(work).finally(() => {
        entry.users -= 1
        makeRoom()
      })
    },
    clear() {
      entries.clear()
      rejected.clear()
      bytes = 0
    },
  }

  function begin(cid: string, prepare: () => Promise<LoadedComponent>): Entry {
    const refusal = rejected.get(cid)
    if (refusal && refusal.until > options.clock.now()) throw refusal.error
    rejected.delete(cid)
    const loading = prepare()
    const entry: Entry = { loading, users: 1, bytes: 0 }
    entries.set(cid, entry)
    loading.then(
      (loaded) => {
        if (entries.get(cid) !== entry) return
        entry.bytes = loaded.bytes
        bytes += loaded.bytes
        entry.users -= 1
        makeRoom(cid)
      },
      (error: unknown) => {
        if (entries.get(cid) === entry) entries.delete(cid)
        if (error instanceof OracleError && error.code === 'component') remember(cid, error)
      },
    )
    return entry
  }

  /** Moves the entry to the end: the first entry of the map is the least recently used. */
  function touched(cid: string): Entry | undefined {
    const entry = entries.get(cid)
    if (!entry) return undefined
    entries.delete(cid)
    entries.set(cid, entry)
    return entry
  }

  /** The newest entry is never evicted, even if it alone exceeds the limit. */
  function makeRoom(newest?: string): void {
    for (const [cid, entry] of entries) {
      if (entries.size <= options.most && bytes <= options.mostBytes) return
      if (entry.users > 0 || cid === newest) continue
      entries.delete(cid)
      bytes -= entry.bytes
    }
  }

  function remember(cid: string, error: OracleError): void {
    rejected.set(cid, { error, until: options.clock.now() + rejectedForMs })
    const oldest = rejected.keys().next().value
    if (rejected.size > maxRejected && oldest !== undefined) rejected.delete(oldest)
  }
}
