import { useState } from 'preact/hooks'
import { ApiError, api } from '../../data/api.ts'
import { target } from '../../data/target.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField } from '../../ui/Field.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { TaskComparison } from './TaskComparison.tsx'
import { parsedParams, type TaskRequest } from './taskRequest.ts'
import type { KnownTask } from './useTaskTrace.ts'

type Sent = { readonly task_id: string }
type RpcAnswer = {
  readonly result?: Sent
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Sends the parameters as a new task. @returns its id @throws ApiError with the gateway's message */
async function send(params: unknown): Promise<string> {
  const { result, error } = await api<RpcAnswer>('/rpc', {
    method: 'POST',
    body: { jsonrpc: '2.0', id: 1, method: `${target().brand.methodPrefix}sendTask`, params },
  })
  if (result !== undefined) return result.task_id
  throw new ApiError(
    error === undefined ? 'the gateway sent no result' : `${error.code}: ${error.message}`,
    200,
    error?.data === undefined ? undefined : JSON.stringify(error.data).slice(0, 500),
  )
}

/** Runs a task again, with other parameters if wanted, and shows both results side by side. */
export function RerunPanel(props: {
  readonly known: KnownTask
  readonly request: TaskRequest | undefined
}) {
  const { known, request } = props
  const [edited, setEdited] = useState<string>()
  const [error, setError] = useState<Error>()
  const [made, setMade] = useState<string>()
  if (target().readOnly)
    return <Notice>Studio is read-only here, so that it cannot create a task.</Notice>
  if (request === undefined) return <Empty>The request of this task is not known.</Empty>
  const original = JSON.stringify(request.params, undefined, 2)
  const text = edited ?? original
  const parsed = parsedParams(text)
  const problem = 'error' in parsed ? parsed.error : undefined
  const run = async (params: unknown) => {
    setError(undefined)
    try {
      setMade(await send(params))
    } catch (reason) {
      setError(reason as Error)
    }
  }
  const hasSignature =
    typeof (request.params as { intent_signature?: unknown }).intent_signature === 'string'
  return (
    <div class="stack">
      <TextAreaField
        label="Parameters"
        value={text}
        rows={16}
        error={problem}
        help={
          hasSignature && edited !== undefined
            ? 'The signature is that of the original intent: it does not fit another one.'
            : undefined
        }
        onChange={setEdited}
      />
      <div class="row">
        <Button
          kind="primary"
          disabled={problem !== undefined}
          onPress={() => ('params' in parsed ? run(parsed.params) : undefined)}
        >
          {text === original ? 'Run again' : 'Run with changes'}
        </Button>
        <Button disabled={text === original} onPress={() => setEdited(undefined)}>
          Reset
        </Button>
      </div>
      <ErrorNotice error={error} />
      {made === undefined ? null : (
        <>
          <p>
            New task <Hex value={made} href={hashOf('tasks', [made])} />
          </p>
          <TaskComparison key={made} before={known} id={made} />
        </>
      )}
    </div>
  )
}
