import { useEffect, useState } from 'preact/hooks'

/** Whether what the page shows is current: `behind` since the first of the reads that failed. */
export type ConnectionState = { readonly behind: boolean; readonly since: Date }

let state: ConnectionState = { behind: false, since: new Date() }
const listeners = new Set<(state: ConnectionState) => void>()

/** Tells the shell the outcome of a periodic read. */
export function reportRead(succeeded: boolean): void {
  if (state.behind === !succeeded) return
  state = { behind: !succeeded, since: new Date() }
  for (const listener of listeners) listener(state)
}

export function useConnection(): ConnectionState {
  const [known, setKnown] = useState(state)
  useEffect(() => {
    listeners.add(setKnown)
    setKnown(state)
    return () => void listeners.delete(setKnown)
  }, [])
  return known
}
