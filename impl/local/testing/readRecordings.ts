import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

/**
 * What a stack with `taskTraces` and `timeTravel` shows of tasks, as text: their paths with calls of oracles and
 * evaluations, the cases of a package that are made from them, the operators' reports, notifications, and
 * the rows of the explorer.
 *
 * @throws Error for a recording that cannot be read
 */
export async function readRecordings(
  { controlUrl, explorerUrl, apiKeys }: StackDescription,
  taskIds: readonly string[],
): Promise<string> {
  const read = async (path: string, init?: RequestInit, base = controlUrl): Promise<string> => {
    const response = await fetch(`${base}${path}`, init)
    const text = await response.text()
    // A task that failed early has no reports, and makes no case: the answer says why, and is searched.
    if (response.status >= 500) throw new Error(`${path}: HTTP ${response.status}: ${text}`)
    return text
  }
  const asCase = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }
  const texts = [await read('/tasks'), await read('/operators')]
  for (const id of taskIds)
    texts.push(
      await read(`/tasks/${id}`),
      await read(`/tasks/${id}/trace`),
      await read(`/tasks/${id}/case`, asCase),
      await read(`/tasks/${id}/notifications`),
      await read(`/v1/task/${id}`, { headers: { 'x-api-key': apiKeys.read } }, explorerUrl),
    )
  return texts.join('\n')
}
