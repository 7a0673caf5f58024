import { startLocalStack } from 'polgate-local/localStack.ts'
import { privateDataStack } from 'polgate-local/testing/privateDataStack.ts'

/** Two policies that decide the same: one of them needs an identity to be opened. */
const policies = {
  plain: 'package private\n\ndefault allow := false\n\nallow if input.from\n',
  opening:
    'package private\n\ndefault allow := false\n\nallow if service.identity.check_approved()\n',
}

export type TaskOpenings = {
  readonly tasks: number
  /** Medians of tasks one after another, milliseconds. */
  readonly plain: number
  readonly opening: number
  /** What the opening adds. */
  readonly added: number
}

/** Durations of tasks on a local stack where three of four operators open an identity for each. */
export async function measureTaskOpenings(options: {
  readonly operatorProcesses: boolean
  readonly tasks: number
}): Promise<TaskOpenings> {
  const { operatorProcesses, tasks } = options
  const stack = await startLocalStack({ threshold: 3, operatorProcesses })
  try {
    const data = await privateDataStack(stack)
    const plain = await data.deploy(policies.plain)
    const opening = await data.deploy(policies.opening)
    await data.register({ status: 'approved' })
    await data.link(opening)
    const times = { plain: [] as number[], opening: [] as number[] }
    // Alternating, so that both have the same share of what else the machine does.
    for (let at = -3; at < tasks; at++) {
      for (const [name, client] of [
        ['plain', plain],
        ['opening', opening],
      ] as const) {
        const begin = performance.now()
        const { status, error, task_response: response } = await data.task(client)
        const ms = performance.now() - begin
        if (status !== 'success' || response?.evaluation_result[31] !== 1)
          throw new Error(`a task was not allowed: ${error ?? 'denied'}`)
        // The first ones load code and fill caches.
        if (at >= 0) times[name].push(ms)
      }
    }
    const medians = { plain: median(times.plain), opening: median(times.opening) }
    return { tasks, ...medians, added: medians.opening - medians.plain }
  } finally {
    await stack.close()
  }
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
