import { AbortError, type TaskEvent, taskDecision, taskOutcome } from 'polgate-client/index.ts'
import { printable } from 'polgate-conformance/core/printable.ts'
import { CommandError } from '../commandDefinition.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf, findTarget } from '../stack/serviceTarget.ts'
import { taskIdOf } from './taskId.ts'

export type WatchOptions = {
  readonly target?: string
  readonly json?: boolean
  readonly timeout?: number
}

const usualSeconds = 120

/** `polgate task watch`; exit code 0 allowed, 1 denied, 2 failed. @throws CommandError */
export async function watchTask(id: string, options: WatchOptions): Promise<void> {
  const taskId = taskIdOf(id)
  const client = clientOf(await findTarget(options.target))
  const seconds = options.timeout ?? usualSeconds
  const signal = AbortSignal.timeout(seconds * 1_000)
  try {
    await withClientErrors(async () => {
      for await (const event of client.watchTask({ taskId }, { signal })) {
        console.log(options.json ? JSON.stringify(event) : lineOf(event))
        if (event.type === 'update') process.exitCode = exitCodeOf(event) ?? process.exitCode
      }
    })
  } catch (error) {
    if (!(error instanceof CommandError && error.cause instanceof AbortError)) throw error
    throw new CommandError(`the task has not ended after ${seconds} s`, {
      hint: 'Watch it again: updates are not lost. --timeout waits longer.',
    })
  }
}

function exitCodeOf(event: TaskEvent & { type: 'update' }): number | undefined {
  if (event.event === 'failure') return 2
  if (event.event !== 'success' || event.data.result === null) return undefined
  return taskDecision(taskOutcome(event.data.result)).allow ? 0 : 1
}

function lineOf(event: TaskEvent): string {
  if (event.type === 'notification')
    return printable(`${event.timestamp}  ${event.failure_type}  ${event.error_message}`)
  const { status, progress, operator_responses: responses, result } = event.data
  const count = (phase: 'data' | 'signature') =>
    responses.filter((each) => each.phase === phase && each.success).length
  const failed = responses.filter(({ success }) => !success).length
  const parts = [
    new Date(event.timestamp * 1_000).toISOString(),
    status.padEnd(10),
    `${progress} %`.padStart(5),
    `data from ${count('data')}, signatures from ${count('signature')}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...decided(event, result),
  ]
  return printable(parts.join('  '))
}

function decided(
  { event }: { readonly event: string },
  result: Parameters<typeof taskOutcome>[0] | null,
): readonly string[] {
  if (result === null) return []
  if (event === 'success') return [taskDecision(taskOutcome(result)).allow ? 'allow' : 'deny']
  return result.error ? [result.error.slice(0, 300)] : []
}
