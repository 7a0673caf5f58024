import { withoutSecrets } from './sensitive.ts'

/** A request that was sent. Neither its key nor its response is kept. */
export type HistoryEntry = {
  readonly at: number
  /** A method of the gateway, or `GET` and a path of the explorer. */
  readonly call: string
  readonly params: unknown
  /** The name of the key. */
  readonly key: string
  readonly ms: number
  /** `ok`, an HTTP status or the code of an error. */
  readonly outcome: string
}

/** Parameters and key of a request of the history, to be sent again. */
export type Draft = Pick<HistoryEntry, 'params' | 'key'>

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

const item = 'studio-console'
const mostEntries = 100
/** Characters of the parameters of one entry; longer ones are left out. */
const longestParams = 20_000
/** Characters of the whole history. */
const longestHistory = 500_000

export function readHistory(storage: Storage): readonly HistoryEntry[] {
  try {
    const read: unknown = JSON.parse(storage.getItem(item) ?? '[]')
    return Array.isArray(read) ? read.filter(isEntry) : []
  } catch {
    // Not written by this page, or the browser refuses.
    return []
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  const { at, call, key, ms, outcome } = (value ?? {}) as Record<string, unknown>
  return (
    typeof at === 'number' &&
    typeof ms === 'number' &&
    [call, key, outcome].every((text) => typeof text === 'string')
  )
}

/** Adds a request, without secrets, before the earlier ones. */
export function addToHistory(storage: Storage, entry: HistoryEntry): readonly HistoryEntry[] {
  const params = withoutSecrets(entry.params)
  const length = (JSON.stringify(params) ?? '').length
  const stored = { ...entry, params: length > longestParams ? undefined : params }
  let entries = [stored, ...readHistory(storage)].slice(0, mostEntries)
  while (JSON.stringify(entries).length > longestHistory) entries = entries.slice(0, -1)
  write(storage, entries)
  return entries
}

export function clearHistory(storage: Storage): readonly HistoryEntry[] {
  write(storage, [])
  return []
}

function write(storage: Storage, entries: readonly HistoryEntry[]): void {
  try {
    storage.setItem(item, JSON.stringify(entries))
  } catch {
    // No space, or the browser refuses: the history is of this page only.
  }
}
