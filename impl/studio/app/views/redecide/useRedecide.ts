import type { RedecideAnswer, RedecideBody } from 'polgate-protocol/control/redecide.ts'
import { useEffect, useState } from 'preact/hooks'
import { api } from '../../data/api.ts'

export type Redecided = {
  /** Of the last request that succeeded. */
  readonly answer: RedecideAnswer | undefined
  readonly error: Error | undefined
  readonly running: boolean
}

/** Milliseconds after the last key. */
const debounceMs = 400

/**
 * The latest tasks of a client as they would be decided, asked again when `body` has changed.
 *
 * @param body undefined while it is not valid: the last answer stays
 */
export function useRedecide(client: string | undefined, body: RedecideBody | undefined): Redecided {
  const [state, setState] = useState<Redecided>({
    ...{ answer: undefined, error: undefined, running: false },
  })
  const text = body === undefined ? undefined : JSON.stringify(body)
  useEffect(() => {
    if (client === undefined || text === undefined) return
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      setState((known) => ({ ...known, running: true }))
      try {
        const path = `/control/clients/${client}/redecide`
        const request = { method: 'POST', body: JSON.parse(text), signal: leaving.signal }
        const answer = await api<RedecideAnswer>(path, request)
        if (!leaving.signal.aborted) setState({ answer, error: undefined, running: false })
      } catch (error) {
        if (!leaving.signal.aborted)
          setState({ answer: undefined, error: error as Error, running: false })
      }
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [client, text])
  return state
}
