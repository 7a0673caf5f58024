import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf, findTarget } from '../stack/serviceTarget.ts'
import { readTrace } from './readTrace.ts'
import { taskIdOf } from './taskId.ts'
import { traceText } from './traceText.ts'

export type TraceOptions = { readonly target?: string; readonly json?: boolean }

/** `polgate task trace`. @throws CommandError */
export async function traceTask(id: string, options: TraceOptions): Promise<void> {
  const taskId = taskIdOf(id)
  const target = await findTarget(options.target)
  const client = clientOf(target)
  const trace = await withClientErrors(() => readTrace(target, client, taskId))
  console.log(options.json ? JSON.stringify(trace, undefined, 2) : traceText(trace))
}
