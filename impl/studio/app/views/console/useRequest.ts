import { useEffect, useState } from 'preact/hooks'
import type { ApiRequest } from '../../data/api.ts'
import { target } from '../../data/target.ts'
import type { Draft } from './history.ts'
import { keyFor } from './openRpc.ts'
import { outcomeOf, type Received, sendRequest } from './sendRequest.ts'
import type { History } from './useHistory.ts'

type Values = Readonly<Record<string, unknown>>

/** What a form of the console holds: parameters, key, and the response or the error of the last request. */
export type ConsoleRequest = {
  readonly values: Values
  readonly setValues: (values: Values) => void
  /** The name of the key. */
  readonly key: string
  readonly setKey: (name: string) => void
  readonly received: Received | undefined
  readonly error: Error | undefined
  /** Sends a request with the key, and adds it to the history as `call`. */
  readonly send: (call: string, path: string, request: ApiRequest) => Promise<void>
}

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * @param given.initial the parameters of the empty form
 * @param given.permission what the call needs of its key
 * @param given.draft a request of the history, which replaces parameters and key
 */
export function useRequest(given: {
  readonly initial: () => Values
  readonly permission: string | undefined
  readonly history: History
  readonly draft: Draft | undefined
}): ConsoleRequest {
  const { history, draft } = given
  const { keyNames } = target()
  const [values, setValues] = useState(given.initial)
  const [key, setKey] = useState(keyFor(given.permission, keyNames) ?? '')
  const [received, setReceived] = useState<Received>()
  const [error, setError] = useState<Error>()

  useEffect(() => {
    if (draft === undefined) return
    if (isRecord(draft.params)) setValues(draft.params)
    if (keyNames.includes(draft.key)) setKey(draft.key)
  }, [draft])

  const send: ConsoleRequest['send'] = async (call, path, request) => {
    setError(undefined)
    try {
      const answer = await sendRequest(path, { ...request, key })
      setReceived(answer)
      const { ms } = answer
      history.add({ at: Date.now(), call, params: values, key, ms, outcome: outcomeOf(answer) })
    } catch (reason) {
      setError(reason as Error)
    }
  }
  return { values, setValues, key, setKey, received, error, send }
}
