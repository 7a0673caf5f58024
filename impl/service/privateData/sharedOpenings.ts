import { createInUse } from '../operators/inFlight.ts'
import { privateDataFailed } from '../operators/operatorErrors.ts'
import type { BegunOpenings } from './opener.ts'
import type { OpeningPlan } from './openingPlan.ts'

/** How long a task may take from its openings to its signatures, milliseconds. */
const keptMs = 60_000
/** More tasks than a process has in flight. */
const maxKept = 4_096

type Begun = { readonly plan: OpeningPlan; readonly openings: BegunOpenings }
type Entry = { readonly begun: Promise<Begun>; readonly timer: NodeJS.Timeout }

/**
 * Openings in progress, shared by the operators of one process: the first begins them, and the
 * plaintext is in memory only while evaluations use it (section 5.3).
 */
export type SharedOpenings = {
  /** @param key of all that is opened, and for which task */
  begin(key: string, plan: OpeningPlan, begin: () => Promise<BegunOpenings>): Promise<BegunOpenings>
  /** @param open returns the document; called for the first of concurrent callers */
  use<T>(
    key: string,
    open: (begun: Begun) => Promise<Uint8Array>,
    use: (document: Uint8Array) => Promise<T>,
  ): Promise<T>
  /** Forgets all keys for answers. */
  close(): void
}

export function createSharedOpenings(): SharedOpenings {
  const entries = new Map<string, Entry>()
  const inUse = createInUse<Uint8Array>((document) => document.fill(0))

  function forget(key: string): void {
    clearTimeout(entries.get(key)?.timer)
    entries.delete(key)
  }

  return {
    async begin(key, plan, begin) {
      const known = entries.get(key)
      if (known !== undefined) return (await known.begun).openings
      const begun = begin().then((openings) => ({ plan, openings }))
      const timer = setTimeout(forget, keptMs, key).unref()
      entries.set(key, { begun, timer })
      begun.catch(() => forget(key))
      for (const oldest of entries.keys()) {
        if (entries.size <= maxKept) break
        forget(oldest)
      }
      return (await begun).openings
    },
    async use(key, open, use) {
      const entry = entries.get(key)
      if (entry === undefined) throw privateDataFailed('its openings were not begun', true)
      const begun = await entry.begun
      return await inUse(
        key,
        () => open(begun),
        async (document) => {
          // A copy, because the evaluator of one operator may wipe or transfer it.
          const own = Uint8Array.from(document)
          try {
            return await use(own)
          } finally {
            own.fill(0)
          }
        },
      )
    },
    close() {
      for (const key of [...entries.keys()]) forget(key)
    },
  }
}
