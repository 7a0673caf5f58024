import { useEffect, useState } from 'preact/hooks'
import { serviceClient } from '../../data/service.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'

type Seen = {
  readonly event: string
  readonly progress: number
  readonly responses: number
  readonly state: 'connecting' | 'live' | 'ended'
  readonly notification: string | undefined
}

const nothing: Seen = {
  ...{ event: '', progress: 0, responses: 0 },
  ...{ state: 'connecting', notification: undefined },
}

const isTaskId = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]{64}$/.test(text)

/** Follows one task over the WebSocket, as a subscriber of its topic. */
export function TaskWatch({ taskId }: { readonly taskId: string }) {
  const [text, setText] = useState(taskId)
  const [seen, setSeen] = useState(nothing)
  const [error, setError] = useState<Error>()
  useEffect(() => {
    if (!isTaskId(taskId)) return
    const leaving = new AbortController()
    const follow = async () => {
      const { signal } = leaving
      for await (const event of serviceClient().watchTask({ taskId }, { signal })) {
        if (event.type === 'notification')
          setSeen((old) => ({
            ...old,
            notification: `${event.failure_type}: ${event.error_message}`,
          }))
        else
          setSeen((old) => ({
            ...old,
            ...{ state: 'live', event: event.event, progress: event.data.progress },
            responses: event.data.operator_responses.length,
          }))
      }
      setSeen((old) => ({ ...old, state: 'ended' }))
    }
    follow().catch((reason: Error) => {
      if (!leaving.signal.aborted) setError(reason)
    })
    return () => leaving.abort()
  }, [taskId])
  const wrong = text !== '' && !isTaskId(text)
  return (
    <section class="panel stack" aria-label="Task">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          if (!wrong) navigate(hashOf('webhooks', ['updates'], { task: text }))
        }}
      >
        <div class="grow">
          <TextField
            label="Task"
            value={text}
            onChange={setText}
            error={wrong ? 'an id is 0x and 64 hex digits' : undefined}
          />
        </div>
        <Button submit disabled={wrong}>
          {text === '' && taskId !== '' ? 'Show all' : 'Follow'}
        </Button>
      </form>
      {isTaskId(taskId) && error === undefined ? (
        <div class="row" role="status">
          <Badge tone={seen.state === 'live' ? 'good' : 'neutral'}>{seen.state}</Badge>
          {seen.event === '' ? null : (
            <>
              <Badge>{seen.event}</Badge>
              <label class="row">
                Progress <progress max={100} value={seen.progress} />
              </label>
              <span>{seen.responses} responses of operators</span>
            </>
          )}
          {seen.notification}
        </div>
      ) : null}
      <ErrorNotice error={error} />
    </section>
  )
}
