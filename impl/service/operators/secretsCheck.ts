import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { uploadRefused } from '../envelopes/secretsSchema.ts'
import { JobThreadError, type JobThreadFailure } from '../scheduling/jobThreadError.ts'
import { operatorBusy } from './operatorErrors.ts'
import { createSchemaThreads, type SchemaThreadsOptions, SlowSchemaError } from './schemaThreads.ts'

/** Both are JSON text. */
type SecretsToCheck = { readonly schema: string; readonly secrets: string }

/** Validates secrets against untrusted schemas (section 2.7). */
export type SecretsCheck = {
  /**
   * @param upload `policyClient`: uploads of one client wait for each other, not for those of
   * others
   * @throws ServiceError `Secrets upload validation failed: {details}`; details never contain a
   * secret
   */
  check(
    upload: SecretsToCheck & { readonly policyClient: Address },
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

const details: Record<Exclude<JobThreadFailure, 'busy' | 'work'>, string> = {
  late: 'the operator cannot check secrets now; try again in a moment',
  memory: 'the secrets schema takes too much memory',
  crash: 'the secrets schema cannot be used',
  start: 'the operator cannot check secrets now; try again in a moment',
  closed: 'the operator is closed',
}
/** How long a client is blocked from a schema after a validation of it took too long. */
const slowForMs = 10_000
const maxSlow = 100

/** Of one thread: a schema that does not terminate ends it, and the next upload starts a new one. */
export function createSecretsCheck(options: SchemaThreadsOptions = {}): SecretsCheck {
  const threads = createSchemaThreads(options)
  const slow = new Map<string, { readonly details: string; readonly until: number }>()

  async function run(owner: Address, job: SecretsToCheck, signal: AbortSignal): Promise<void> {
    const whose = `${owner} ${job.schema}`
    const before = slow.get(whose)
    if (before !== undefined && before.until > performance.now())
      throw uploadRefused(before.details)
    const answer = await threads.run(job, { owner, signal }).catch((error: unknown) => {
      if (error instanceof SlowSchemaError) {
        const { pattern } = error
        const what = pattern === undefined ? '' : `: its pattern ${pattern.slice(0, 200)}`
        throw uploadRefused(remember(whose, `the secrets schema takes too long${what}`), error)
      }
      if (!(error instanceof JobThreadError)) throw error
      const { code } = error
      if (code === 'busy' || code === 'work') throw operatorBusy()
      throw uploadRefused(details[code], error)
    })
    if ('problem' in answer && answer.problem !== undefined) throw uploadRefused(answer.problem)
  }

  function remember(whose: string, text: string): string {
    if (slow.size >= maxSlow) slow.clear()
    slow.set(whose, { details: text, until: performance.now() + slowForMs })
    return text
  }

  return {
    check: ({ policyClient, schema, secrets }, signal) =>
      unlessAborted(signal, run(policyClient, { schema, secrets }, signal)),
    close: () => threads.close(),
  }
}
