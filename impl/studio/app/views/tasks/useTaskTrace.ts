import type { ExplorerTaskDetail } from 'polgate-client'
import {
  type TaskState,
  type TaskTrace,
  type TaskUpdateEvent,
  taskTraceOf,
} from 'polgate-client/trace/taskTrace.ts'
import type { TaskTraceAnswer } from 'polgate-protocol/control/taskTrace.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../data/api.ts'
import { control } from '../../data/control.ts'
import { explorerClient } from '../../data/explorer.ts'
import { serviceClient } from '../../data/service.ts'
import { target } from '../../data/target.ts'
import { usePolled } from '../../data/usePolled.ts'

/** Everything that is known of a task now. */
export type KnownTask = {
  readonly id: string
  /** What gateway, control API and explorer tell; undefined before the gateway has answered. */
  readonly summary: TaskTrace | undefined
  readonly state: TaskState | undefined
  /** Spans and evaluations; undefined where the target does not record them. */
  readonly path: TaskTraceAnswer | undefined
  readonly row: ExplorerTaskDetail | undefined
  /** Why the gateway tells nothing of it. */
  readonly error: Error | undefined
  readonly isLoading: boolean
}

const everyMs = 700
/** Of an ended task only what happens on chain changes. */
const endedMs = 4_000

type Read = {
  readonly path: TaskTraceAnswer | undefined
  readonly row: ExplorerTaskDetail | undefined
}

/** Follows a task: its updates as they come, its path and its events on chain. */
export function useTaskTrace(id: string): KnownTask {
  const [update, setUpdate] = useState<TaskUpdateEvent>()
  const [error, setError] = useState<Error>()
  const taskId = id as `0x${string}`

  useEffect(() => {
    const leaving = new AbortController()
    setUpdate(undefined)
    setError(undefined)
    follow(taskId, leaving.signal, setUpdate).catch((reason: Error) => {
      if (!leaving.signal.aborted) setError(reason)
    })
    return () => leaving.abort()
  }, [id])

  const last = useRef<
    { readonly id: string; readonly at: number; readonly read: Read } | undefined
  >(undefined)
  const { value } = usePolled(
    async (signal): Promise<Read> => {
      const before = last.current?.id === id ? last.current : undefined
      const isFresh = before !== undefined && Date.now() - before.at < endedMs
      if (isFresh && before.read.path?.ended !== false) return before.read
      const path = await pathOf(id, signal)
      // The path has the events on chain, too.
      const read = { path, row: path === undefined ? await rowOf(taskId, signal) : undefined }
      last.current = { id, at: Date.now(), read }
      return read
    },
    everyMs,
    [id],
  )
  const { path, row } = value ?? {}
  // The gateway tells its updates to the key that created the task only.
  const state = update?.data ?? path?.state ?? undefined
  const summary =
    state &&
    taskTraceOf({
      ...{ taskId, state, row },
      record: path && {
        operators: path.operators,
        data: path.settled,
        params: path.evaluations[0]?.params,
        entrypoint: path.evaluations[0]?.entrypoint,
      },
      operators: path?.stakes?.map(({ address, stakes }) => ({ address, stake: stakes[0] })),
    })
  return {
    ...{ id, summary, state, path, row, error },
    isLoading: value === undefined && update === undefined && error === undefined,
  }
}

async function follow(
  taskId: `0x${string}`,
  signal: AbortSignal,
  tell: (update: TaskUpdateEvent) => void,
): Promise<void> {
  for await (const event of serviceClient().watchTask({ taskId }, { signal }))
    if (event.type === 'update') tell(event)
}

/** Undefined where the target does not record it. */
async function pathOf(id: string, signal: AbortSignal): Promise<TaskTraceAnswer | undefined> {
  if (!target().has.control) return undefined
  return await control
    .get<TaskTraceAnswer>(`/tasks/${encodeURIComponent(id)}/trace`, signal)
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    })
}

/** Undefined before the explorer has indexed it. */
async function rowOf(
  taskId: `0x${string}`,
  signal: AbortSignal,
): Promise<ExplorerTaskDetail | undefined> {
  if (!target().has.explorer) return undefined
  return await explorerClient()
    .getTask({ taskId }, { signal })
    .catch((error: { readonly code?: string }) => {
      if (error.code === 'NOT_FOUND' || signal.aborted) return undefined
      throw error
    })
}
