import { basename } from 'node:path'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { colours } from '../../colours.ts'
import { runCode } from '../../package/codeThreads.ts'
import type { PolicyPackage } from '../../package/policyPackage.ts'
import { readPolicy } from '../inputFiles.ts'
import type { CaseOutcome } from './caseRunner.ts'
import type { EvaluatedCase, PolicyCoverage, PolicySources, RegoRun } from './regoTests.ts'

export type PolicyCode = {
  /** Runs the Rego tests. */
  test(): Promise<RegoRun>
  /** Counts what a case evaluated towards the coverage. */
  evaluated(outcome: CaseOutcome): void
  coverage(): Promise<PolicyCoverage>
}

/**
 * The policy of a package, and its tests, with the built-ins that operators have; in a thread with a limit.
 *
 * @throws RegoError if it does not compile, CommandError if that takes too long
 */
export async function openPolicyCode({
  policy: { path, text },
  tests: files,
  entrypoint,
}: PolicyPackage): Promise<PolicyCode> {
  const tests: ModuleSource[] = []
  for (const file of files) tests.push({ name: basename(file), source: await readPolicy(file) })
  const sources: PolicySources = {
    ...{ policy: { name: basename(path), source: text }, tests, entrypoint },
  }
  await runCode(path, { kind: 'compile', given: sources })
  const cases: EvaluatedCase[] = []
  let inTests: readonly number[] = []

  return {
    async test() {
      const isTTY = colours(process.stdout).isColorSupported
      const run = await runCode(path, { kind: 'tests', given: { ...sources, isTTY } })
      inTests = run.covered
      return run
    },
    evaluated({ evaluation, params, privateData, now }) {
      if (evaluation === undefined) return
      const privacy = privateData === undefined ? '' : `,"privacy":${privacyOf(privateData)}`
      const data = `{"params":${params},"wasm":${evaluation.wasm}${privacy}}`
      cases.push({ input: evaluation.input, data, privateData, now })
    },
    coverage: () => runCode(path, { kind: 'coverage', given: { ...sources, cases, inTests } }),
  }
}

const privacyOf = (privateData: string): string => JSON.stringify(JSON.parse(privateData).privacy)
