import type { PlaygroundRequest } from '../../../playground/evaluation.ts'
import { Empty } from '../../ui/Notice.tsx'
import { RedecideResult } from '../redecide/RedecideResult.tsx'
import { useRedecide } from '../redecide/useRedecide.ts'

/** The latest tasks of a client as the edited policy and parameters would have decided them. */
export function PastTasks(props: {
  readonly client: string | undefined
  readonly request: PlaygroundRequest
  readonly running: boolean
  /** Whether the last evaluation had a policy that compiles, and parameters that are JSON. */
  readonly usable: boolean
}) {
  const { client, running, usable } = props
  const { source: policySource, params, entrypoint } = props.request
  const redecided = useRedecide(
    client,
    usable && !running ? { policySource, params, entrypoint } : undefined,
  )
  if (client === undefined)
    return (
      <Empty>Choose a client, or load a task: then its latest 100 tasks are decided again.</Empty>
    )
  if (!usable && !running)
    return <Empty>Without a policy that compiles, past tasks are not decided again.</Empty>
  return <RedecideResult redecided={redecided} />
}
