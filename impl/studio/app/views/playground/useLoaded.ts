import type { ClientDetail } from 'polgate-protocol/control/policies.ts'
import type { TaskEvaluation } from 'polgate-protocol/control/redecide.ts'
import { useEffect, useState } from 'preact/hooks'
import type { PlaygroundRequest } from '../../../playground/evaluation.ts'
import { control } from '../../data/control.ts'
import { memberTexts, textOfMembers } from '../policies/params/memberTexts.ts'

/** What the editors are filled with; `client` is whose tasks are decided again. */
export type Loaded = {
  readonly request: Partial<PlaygroundRequest>
  readonly client: string | undefined
}

type Place = { readonly taskId: string; readonly client: string | undefined }

/** What is evaluated for a task or a client of the stack. @throws ApiError */
async function load({ taskId, client }: Place): Promise<Loaded> {
  if (taskId !== '') {
    const found = await control.get<TaskEvaluation>(`/tasks/${taskId}/evaluation`)
    const { policyClient, source, taskId: _, input, params, ...rest } = found
    const shown = { ...rest, input: indented(input), params: indented(params) }
    return {
      client: policyClient.toLowerCase(),
      request: source === null ? shown : { ...shown, source },
    }
  }
  if (client === undefined) return { request: {}, client }
  const { policy, params } = await control.get<ClientDetail>(`/clients/${client}`)
  const source = policy?.source.text ?? undefined
  return {
    client,
    request: {
      ...(source === undefined ? {} : { source }),
      ...(policy === null ? {} : { entrypoint: policy.entrypoint }),
      paramsSchema: policy?.paramsSchema?.text ?? null,
      params,
    },
  }
}

/** A line for each member; digits and order stay as they are. */
function indented(json: string): string {
  const members = memberTexts(json)
  return json.includes('\n') || members === undefined ? json : textOfMembers(members)
}

/** Loads when the place changes, and gives what was found to `onLoad`. */
export function useLoaded(place: Place, onLoad: (loaded: Loaded) => void): Error | undefined {
  const [error, setError] = useState<Error>()
  useEffect(() => {
    let left = false
    setError(undefined)
    load(place).then(
      (loaded) => {
        if (!left) onLoad(loaded)
      },
      (reason: Error) => {
        if (!left) setError(reason)
      },
    )
    return () => {
      left = true
    }
  }, [place.taskId, place.client])
  return error
}
