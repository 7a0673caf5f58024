import { parentPort, workerData } from 'node:worker_threads'
import { type Case, readCases, type SetName } from './cases.ts'
import { judge, type Verdict } from './judge.ts'
import { run } from './subject.ts'

/** Runs single cases on demand, so that one that hangs costs a thread and not the run. */
const { dir } = workerData as { readonly dir: string }
const sets = new Map<SetName, readonly Case[]>()

/** An exception other than a Rego error fails the case, even if it expects an error. */
function verdict(one: Case): Verdict {
  try {
    return judge(one.expectation, run(one))
  } catch (error) {
    const got = `the engine crashed: ${(error as Error).stack ?? error}`
    return { passed: false, wanted: 'a result or a Rego error', got }
  }
}

parentPort?.on('message', async ({ set, index }: { set: SetName; index: number }) => {
  const cases = sets.get(set) ?? (await readCases(dir, set))
  sets.set(set, cases)
  const one = cases[index]
  if (one !== undefined) parentPort?.postMessage(verdict(one))
})

parentPort?.postMessage('ready')
