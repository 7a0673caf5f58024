import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { uploadRefused } from '../envelopes/secretsSchema.ts'
import { JobThreadError, type JobThreadFailure } from '../scheduling/jobThreadError.ts'
import { createJobThreads } from '../scheduling/jobThreads.ts'
import { operatorBusy } from './operatorErrors.ts'
import type { SecretsCheckAnswer, SecretsCheckJob } from './secretsCheckThread.ts'

/** Validates secrets against untrusted schemas (section 2.7). */
export type SecretsCheck = {
  /**
   * @param upload `policyClient`: uploads of one client wait for each other, not for those of
   * others
   * @throws ServiceError `Secrets upload validation failed: {details}`; details never contain a
   * secret
   */
  check(
    upload: SecretsCheckJob & { readonly policyClient: Address },
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

export type SecretsCheckOptions = {
  /** CPU time of one validation, milliseconds. Ample: a usual schema takes a few. */
  readonly workMs?: number
}

const details: Record<Exclude<JobThreadFailure, 'busy'>, string> = {
  work: 'the secrets schema takes too long',
  late: 'the operator cannot check secrets now; try again in a moment',
  memory: 'the secrets schema takes too much memory',
  crash: 'the secrets schema cannot be used',
  start: 'the operator cannot check secrets now; try again in a moment',
  closed: 'the operator is closed',
}
/** How long a client is blocked from a schema after a validation of it took too long. */
const slowForMs = 10_000
const maxSlow = 100

/**
 * One thread, started on first use. If a schema's patterns or references do not terminate, the
 * thread is ended; the next upload starts a new one.
 */
export function createSecretsCheck({ workMs = 3_000 }: SecretsCheckOptions = {}): SecretsCheck {
  const threads = createJobThreads<SecretsCheckJob, SecretsCheckAnswer>({
    script: new URL('./secretsCheck.worker.mjs', import.meta.url),
    heapMiB: 128,
    threads: 1,
    workMs,
    perOwner: 128,
    inAll: 1_000,
  })
  const slow = new Map<string, number>()

  async function run(owner: Address, job: SecretsCheckJob, signal: AbortSignal): Promise<void> {
    const whose = `${owner} ${job.schema}`
    if ((slow.get(whose) ?? 0) > performance.now()) throw uploadRefused(details.work)
    const { problem } = await threads.run(job, { owner, signal }).catch((error: unknown) => {
      if (!(error instanceof JobThreadError)) throw error
      const { code } = error
      if (code === 'busy') throw operatorBusy()
      if (code === 'work') remember(whose)
      throw uploadRefused(details[code], error)
    })
    if (problem !== undefined) throw uploadRefused(problem)
  }

  function remember(whose: string): void {
    if (slow.size >= maxSlow) slow.clear()
    slow.set(whose, performance.now() + slowForMs)
  }

  return {
    check: ({ policyClient, schema, secrets }, signal) =>
      unlessAborted(signal, run(policyClient, { schema, secrets }, signal)),
    close: () => threads.close(),
  }
}
