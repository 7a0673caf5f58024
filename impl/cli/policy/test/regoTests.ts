import { privateDataOf } from 'polgate-rego/builtins/private/privateData.ts'
import { createEngine, type Engine, type ModuleSource } from 'polgate-rego/engine.ts'
import { Coverage } from 'polgate-rego/report/coverage.ts'
import type { Module, Rule } from 'polgate-rego/syntax/ast.ts'
import type { NearTest, TestRule } from 'polgate-rego/test/discover.ts'
import { runTests, type TestStatus } from 'polgate-rego/test/runTests.ts'
import { failureLines } from '../../rego/explanation.ts'
import { usedCapabilities } from '../../rego/usedCapabilities.ts'

/** A policy and its tests are of somebody else: call these functions in a thread that can be ended. */

export type PolicySources = {
  readonly policy: ModuleSource
  readonly tests: readonly ModuleSource[]
  readonly entrypoint: string
}

/** A Rego test that ran, or was skipped. */
export type RegoResult = {
  readonly test: Pick<TestRule, 'package' | 'name' | 'location'>
  readonly status: TestStatus
  /** Milliseconds. */
  readonly time: number
  readonly error: { readonly text: string } | undefined
  /** Lines for a terminal: the expressions that failed, with their values. */
  readonly explanation: readonly string[]
}

export type RegoRun = {
  readonly results: readonly RegoResult[]
  /** What looks like a test and is not run. */
  readonly near: readonly NearTest[]
  /** Rows of the policy that the tests reached. */
  readonly covered: readonly number[]
}

/** What a case evaluated, JSON texts. */
export type EvaluatedCase = {
  readonly input: string
  readonly data: string
  /** Of what the policy read as private data; undefined for a policy that reads none. */
  readonly privateData: string | undefined
  /** Unix milliseconds. */
  readonly now: number
}

/** A deny rule, and whether some case was denied for it. */
export type DenyRule = { readonly row: number; readonly text: string; readonly held: boolean }

export type PolicyCoverage = {
  /** Rows of the policy that tests and cases reached, 0..100. */
  readonly percent: number
  /** Rows that neither reached. */
  readonly notCovered: readonly number[]
  readonly denyRules: readonly DenyRule[]
}

const deadlineMs = 10_000

const builtinsOf = async ({ policy, tests }: PolicySources) =>
  (await usedCapabilities([policy, ...tests].map(({ source }) => source))).service

async function engineOf(sources: PolicySources, tracer?: Coverage): Promise<Engine> {
  const builtins = await builtinsOf(sources)
  const modules = [sources.policy]
  return createEngine({
    ...{ modules, builtins, strict: false, limits: { deadlineMs } },
    ...(tracer === undefined ? {} : { tracer }),
  })
}

/** @throws RegoError if the policy does not compile with the built-ins that operators have */
export async function compiles(sources: PolicySources): Promise<void> {
  await engineOf(sources)
}

/** @throws RegoError if policy and tests do not compile */
export async function ranTests({
  isTTY,
  ...sources
}: PolicySources & { readonly isTTY: boolean }): Promise<RegoRun> {
  const { policy, tests } = sources
  const tracer = new Coverage()
  const { modules, results, near } = runTests({
    ...{ modules: [policy, ...tests], builtins: await builtinsOf(sources), tracer },
    ...{ limits: { deadlineMs }, clock: () => performance.now() },
  })
  const file = tracer.report(modules).files.find((each) => each.file === policy.name)
  return {
    results: results.map(({ test, status, time, error, failures }) => ({
      test: { package: test.package, name: test.name, location: test.location },
      ...{ status, time, error: error && { text: error.text } },
      explanation: failures.flatMap((failure) => failureLines(failure, { isTTY }, '      ')),
    })),
    ...{ near, covered: file?.covered ?? [] },
  }
}

/** Evaluates again what cases evaluated. */
export async function coverageOf({
  cases,
  inTests,
  ...sources
}: PolicySources & {
  readonly cases: readonly EvaluatedCase[]
  /** Rows that tests reached. */
  readonly inTests: readonly number[]
}): Promise<PolicyCoverage> {
  const { policy, entrypoint } = sources
  const inCases = new Coverage()
  const engine = await engineOf(sources, inCases)
  const deny = `${entrypoint.split('.').slice(0, -1).join('.')}.deny`
  for (const { input, data, privateData, now } of cases) {
    const evaluation = engine.begin({
      ...{ inputJson: input, dataJson: data, nowNs: () => BigInt(now) * 1_000_000n },
      ...(privateData === undefined ? {} : { privateData: privateDataOf(privateData) }),
    })
    for (const path of [entrypoint, deny]) if (engine.hasRule(path)) evaluation.rule(path)
  }
  const rows = inCases.report(engine.modules).files[0]
  const covered = new Set([...(rows?.covered ?? []), ...inTests])
  const wanted = [...(rows?.covered ?? []), ...(rows?.notCovered ?? [])]
  const notCovered = wanted.filter((row) => !covered.has(row)).sort((a, b) => a - b)
  const share = wanted.length === 0 ? 1 : 1 - notCovered.length / wanted.length
  const [module] = engine.modules
  return {
    percent: Math.floor(share * 10_000) / 100,
    notCovered,
    denyRules: denyRules(module!, policy.source, new Set(rows?.covered)),
  }
}

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
