import { useState } from 'preact/hooks'
import { addToHistory, clearHistory, type HistoryEntry, readHistory } from './history.ts'

export type History = {
  readonly entries: readonly HistoryEntry[]
  readonly add: (entry: HistoryEntry) => void
  readonly clear: () => void
}

/** The requests that this browser has sent. */
export function useHistory(): History {
  const [entries, setEntries] = useState(() => readHistory(localStorage))
  return {
    entries,
    add: (entry) => setEntries(addToHistory(localStorage, entry)),
    clear: () => setEntries(clearHistory(localStorage)),
  }
}
