import type { ComponentInterface } from './componentInterface.ts'
import { OracleError } from './oracleError.ts'
import type { RunCode } from './threadTask.ts'

/** A component that can be run at once. */
export type LoadedComponent = {
  interface: ComponentInterface
  key: string
  source: string
  modules: RunCode['modules']
  /** Estimate of what it holds of memory. */
  bytes: number
}

export type LoadedComponents = {
  /** The component, being loaded if need be; it counts as the newest from now on. */
  load(cid: string, prepare: () => Promise<LoadedComponent>): Promise<LoadedComponent>
  /**
   * Use a component that is loaded; while it is in use it stays.
   * @returns undefined for one that is not loaded, or no more
   */
  use<Result>(
    cid: string,
    work: (component: LoadedComponent) => Promise<Result>,
  ): Promise<Result> | undefined
  /** Bytes held by what is loaded, as estimated. */
  readonly bytes: number
  clear(): void
}

type Entry = {
  loading: Promise<LoadedComponent>
  /** Runs that use it, and its loading. */
  users: number
  /** 0 until it is loaded. */
  bytes: number
}

/** Bytes held of each byte of a core module: the module itself, and the code made of it. */
const bytesPerModuleByte = 3
const refusedForMs = 600_000
const mostRefused = 1_000

/** Estimate of the memory that a component holds when it is compiled. */
export function estimatedBytes(source: string, modules: readonly Uint8Array[]): number {
  const moduleBytes = modules.reduce((sum, { length }) => sum + length, 0)
  return source.length * 2 + moduleBytes * bytesPerModuleByte
}

/**
 * Compiled components by content id, the ones used last, bounded in number and in bytes. A refusal of
 * the bytes is remembered for a while too: a content id never names other bytes, and to find out that
 * they are no oracle may have been dear. Whatever else fails is tried again by the next call (decision O8).
 */
export function createLoadedComponents(options: {
  most: number
  mostBytes: number
  clock: { now(): number }
}): LoadedComponents {
  const entries = new Map<string, Entry>()
  const refused = new Map<string, { error: OracleError; until: number }>()
  let bytes = 0

  return {
    get bytes() {
      return bytes
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
      refused.clear()
      bytes = 0
    },
  }

  function begin(cid: string, prepare: () => Promise<LoadedComponent>): Entry {
    const refusal = refused.get(cid)
    if (refusal && refusal.until > options.clock.now()) throw refusal.error
    refused.delete(cid)
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

  /** Put last: the first of the map is the one that was not used for longest. */
  function touched(cid: string): Entry | undefined {
    const entry = entries.get(cid)
    if (!entry) return undefined
    entries.delete(cid)
    entries.set(cid, entry)
    return entry
  }

  /** The newest may be larger than all the room there is: it is what was asked for. */
  function makeRoom(newest?: string): void {
    for (const [cid, entry] of entries) {
      if (entries.size <= options.most && bytes <= options.mostBytes) return
      if (entry.users > 0 || cid === newest) continue
      entries.delete(cid)
      bytes -= entry.bytes
    }
  }

  function remember(cid: string, error: OracleError): void {
    refused.set(cid, { error, until: options.clock.now() + refusedForMs })
    const oldest = refused.keys().next().value
    if (refused.size > mostRefused && oldest !== undefined) refused.delete(oldest)
  }
}
