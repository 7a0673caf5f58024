import type { TaskRecord } from 'polgate-local/taskRecords.ts'
import type { ServiceTarget } from '../stack/serviceTarget.ts'

const withinMs = 10_000

/** What the operators of a local stack did for a task; undefined where the target does not say. */
export async function taskRecordOf(
  { controlUrl }: Pick<ServiceTarget, 'controlUrl'>,
  taskId: string,
): Promise<TaskRecord | undefined> {
  if (controlUrl === undefined) return undefined
  const response = await fetch(`${controlUrl}/tasks/${taskId}`, {
    signal: AbortSignal.timeout(withinMs),
  }).catch(() => undefined)
  if (response?.ok !== true) {
    await response?.body?.cancel()
    return undefined
  }
  return (await response.json()) as TaskRecord
}
