import { RegoError } from 'polgate-rego/errors.ts'
import { JobThreadError } from 'polgate-service/scheduling/jobThreadError.ts'
import { createJobThreads } from 'polgate-service/scheduling/jobThreads.ts'
import { CommandError } from '../commandDefinition.ts'
import type { CodeAnswer, CodeJob, CodeKind, CodeResult } from './codeThread.ts'

/** CPU time of one job. Ample: a usual policy with its tests takes less than one second. */
const workMs = 20_000
/** On a busy machine. */
const wallMs = 200_000

/**
 * Policies of packages are of others: what compiles, lints and tests them may take as long as it wants. One thread, which
 * is ended over a limit of CPU time or memory.
 */
const threads = createJobThreads<CodeJob<CodeKind>, CodeAnswer>({
  script: new URL('./codeThread.worker.mjs', import.meta.url),
  heapMiB: 1_024,
  threads: 1,
  ...{ workMs, wallMs, idleMs: 60_000, perOwner: 1_000, inAll: 1_000 },
})

/**
 * @param path of the policy, for errors
 * @throws CommandError over a limit, RegoError if it does not compile
 */
export async function runCode<Kind extends CodeKind>(
  path: string,
  job: CodeJob<Kind>,
): Promise<CodeResult<Kind>> {
  const answer = await threads.run(job, { owner: '' }).catch((cause: unknown) => {
    if (!(cause instanceof JobThreadError)) throw cause
    throw new CommandError(`${path}: ${what[job.kind]} ${whyOf(cause)}`, {
      hint: 'Shorten the policy or its tests: operators have a limit for each evaluation, too.',
      cause,
    })
  })
  if ('result' in answer) return answer.result as CodeResult<Kind>
  if ('broken' in answer) throw new Error(`the thread of the policy failed: ${answer.broken}`)
  const { code, message, location } = answer.rego
  throw new RegoError(code, message, { location })
}

const what: Readonly<Record<CodeKind, string>> = {
  warnings: 'looking for mistakes in the policy',
  problem: 'checking the policy',
  reads: 'reading the policy',
  privateUses: 'reading the policy',
  compile: 'compiling the policy',
  tests: 'running the Rego tests',
  coverage: 'evaluating the policy',
  namespaced: 'renaming the rules of the policy',
}

function whyOf({ code }: JobThreadError): string {
  if (code === 'work') return `takes more than ${workMs / 1_000} s of CPU time`
  if (code === 'late') return `did not end within ${wallMs / 1_000} s`
  return code === 'memory' ? 'takes too much memory' : 'failed, because its thread ended'
}
