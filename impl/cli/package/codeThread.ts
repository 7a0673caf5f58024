import { parentPort } from 'node:worker_threads'
import { RegoError, type RegoErrorCode } from 'polgate-rego/errors.ts'
import { privateUses } from 'polgate-rego/privateUses.ts'
import type { JobThreadReady } from 'polgate-service/scheduling/jobThreads.ts'
import { ownTimeFile } from 'polgate-service/scheduling/threadTime.mjs'
import { namespacedModule } from '../policy/compose/namespacedModule.ts'
import { policyReads } from '../policy/import/policyReads.ts'
import { compiles, coverageOf, ranTests } from '../policy/test/regoTests.ts'
import { policyProblem } from './policyProblem.ts'
import { policyWarnings } from './policyWarnings.ts'

const work = {
  warnings: policyWarnings,
  problem: policyProblem,
  reads: policyReads,
  privateUses: (source: string) => privateUses(source),
  compile: compiles,
  tests: ranTests,
  coverage: coverageOf,
  namespaced: namespacedModule,
}
type Work = typeof work
export type CodeKind = keyof Work
export type CodeJob<Kind extends CodeKind> = {
  readonly kind: Kind
  readonly given: Parameters<Work[Kind]>[0]
}
export type CodeResult<Kind extends CodeKind> = Awaited<ReturnType<Work[Kind]>>
export type CodeAnswer =
  | { readonly result: unknown }
  | { readonly rego: Pick<RegoError, 'message' | 'location'> & { readonly code: RegoErrorCode } }
  | { readonly broken: string }

async function answer<Kind extends CodeKind>({ kind, given }: CodeJob<Kind>): Promise<CodeAnswer> {
  try {
    return { result: await (work[kind] as (all: typeof given) => unknown)(given) }
  } catch (error) {
    if (!(error instanceof RegoError))
      return { broken: String((error as Error | undefined)?.stack ?? error) }
    const { code, message, location } = error
    return { rego: { code, message, location } }
  }
}

parentPort?.on('message', async (job: CodeJob<CodeKind>) =>
  parentPort?.postMessage(await answer(job)),
)
parentPort?.postMessage({ timeFile: ownTimeFile() } satisfies JobThreadReady)
