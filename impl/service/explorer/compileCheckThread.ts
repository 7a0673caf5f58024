import { parentPort, workerData } from 'node:worker_threads'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { createEngine } from 'polgate-rego/engine.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import type { JobThreadReady } from '../scheduling/jobThreads.ts'
import { ownTimeFile } from '../scheduling/threadTime.mjs'

export type CompileJob = {
  readonly source: string
  /** `package.rule`, with or without `data.` (decision R9). */
  readonly entrypoint: string
}
export type CompileAnswer = { readonly compiles: boolean } | { readonly broken: string }

const { namespace } = workerData as { readonly namespace: string }
const builtins = profileBuiltins('service', namespace)

function answer({ source, entrypoint }: CompileJob): CompileAnswer {
  try {
    const engine = createEngine({ modules: [{ name: 'policy.rego', source }], builtins })
    return { compiles: engine.hasRule(entrypoint) }
  } catch (error) {
    if (error instanceof RegoError) return { compiles: false }
    return { broken: String(error) }
  }
}

parentPort?.on('message', (job: CompileJob) => parentPort?.postMessage(answer(job)))
parentPort?.postMessage({ timeFile: ownTimeFile() } satisfies JobThreadReady)
