import { basename } from 'node:path'
import { privateDataOf } from 'polgate-rego/builtins/private/privateData.ts'
import {
  createEngine,
  type Engine,
  type EvaluateOptions,
  type ModuleSource,
} from 'polgate-rego/engine.ts'
import { Coverage } from 'polgate-rego/report/coverage.ts'
import type { Module, Rule } from 'polgate-rego/syntax/ast.ts'
import { runTests, type TestRun } from 'polgate-rego/test/runTests.ts'
import type { PolicyPackage } from '../../package/policyPackage.ts'
import { usedCapabilities } from '../../rego/usedCapabilities.ts'
import { readPolicy } from '../inputFiles.ts'
import type { CaseOutcome } from './caseRunner.ts'

/** A deny rule, and whether some case was denied for it. */
export type DenyRule = { readonly row: number; readonly text: string; readonly held: boolean }

export type PolicyCoverage = {
  /** Rows of the policy that tests and cases reached, 0..100. */
  readonly percent: number
  /** Rows that neither reached. */
  readonly notCovered: readonly number[]
  readonly denyRules: readonly DenyRule[]
}

export type PolicyCode = {
  /** Runs the Rego tests. */
  test(): TestRun
  /** Counts what a case evaluated towards the coverage. */
  evaluated(outcome: CaseOutcome): void
  coverage(): PolicyCoverage
}

const deadlineMs = 10_000

/**
 * The policy of a package, and its tests, with the built-ins that operators have.
 *
 * @throws RegoError if it does not compile
 */
export async function openPolicyCode(loaded: PolicyPackage): Promise<PolicyCode> {
  const { policy, tests, entrypoint } = loaded
  const name = basename(policy.path)
  const source: ModuleSource = { name, source: policy.text }
  const testModules: ModuleSource[] = []
  for (const path of tests)
    testModules.push({ name: basename(path), source: await readPolicy(path) })
  const all = [source, ...testModules]
  const builtins = (await usedCapabilities(all.map((each) => each.source))).service
  const inTests = new Coverage()
  const inCases = new Coverage()
  const engine: Engine = createEngine({
    ...{ modules: [source], builtins, strict: false, tracer: inCases, limits: { deadlineMs } },
  })
  const deny = `${entrypoint.split('.').slice(0, -1).join('.')}.deny`
  const documents: EvaluateOptions[] = []

  return {
    test: () =>
      runTests({
        ...{ modules: all, builtins, limits: { deadlineMs }, tracer: inTests },
        clock: () => performance.now(),
      }),
    evaluated({ evaluation, params, privateData, now }) {
      if (evaluation === undefined) return
      const opened = privateData === undefined ? undefined : privateDataOf(privateData)
      const privacy = privateData === undefined ? '' : `,"privacy":${privacyOf(privateData)}`
      documents.push({
        inputJson: evaluation.input,
        dataJson: `{"params":${params},"wasm":${evaluation.wasm}${privacy}}`,
        nowNs: () => BigInt(now) * 1_000_000n,
        ...(opened === undefined ? {} : { privateData: opened }),
      })
    },
    coverage() {
      for (const given of documents) {
        const evaluation = engine.begin(given)
        for (const path of [entrypoint, deny]) if (engine.hasRule(path)) evaluation.rule(path)
      }
      const reached = (coverage: Coverage) => coverage.report(engine.modules).files[0]
      const rows = reached(inCases)
      const covered = new Set([...(rows?.covered ?? []), ...(reached(inTests)?.covered ?? [])])
      const wanted = [...(rows?.covered ?? []), ...(rows?.notCovered ?? [])]
      const notCovered = wanted.filter((row) => !covered.has(row)).sort((a, b) => a - b)
      const share = wanted.length === 0 ? 1 : 1 - notCovered.length / wanted.length
      const [module] = engine.modules
      return {
        percent: Math.floor(share * 10_000) / 100,
        notCovered,
        denyRules: denyRules(module!, policy.text, new Set(rows?.covered)),
      }
    },
  }
}

const privacyOf = (privateData: string): string => JSON.stringify(JSON.parse(privateData).privacy)

function denyRules(module: Module, text: string, covered: ReadonlySet<number>): DenyRule[] {
  const lines = text.split('\n')
  return module.rules.filter(isDeny).map(({ span }) => {
    const { row } = span.location
    const line = lines[row - 1]?.trim() ?? ''
    return { row, text: line.slice(0, 200), held: covered.has(row) }
  })
}

const isDeny = ({ head }: Rule): boolean =>
  head.member !== undefined && head.ref.head.kind === 'var' && head.ref.head.name === 'deny'
