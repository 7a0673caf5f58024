import { basename } from 'node:path'
import { ownHostNames } from 'polgate-fixtures/hostNames.ts'
import type { NearTest } from 'polgate-rego/test/discover.ts'
import { fullName } from 'polgate-rego/test/runTests.ts'
import type { SecretsByOracle } from 'polgate-service/oracles/recording/redactRecording.ts'
import { CommandError } from '../../commandDefinition.ts'
import { loadPolicyPackage } from '../../package/loadPolicyPackage.ts'
import { packageProblems } from '../../package/packageProblems.ts'
import type { PackageWarning } from '../../package/packageWarning.ts'
import { packageWarnings } from '../../package/packageWarnings.ts'
import type { PolicyPackage } from '../../package/policyPackage.ts'
import { checkComponents } from '../../publish/checkComponents.ts'
import { packageContents } from '../../publish/packageContents.ts'
import { readComponent } from '../inputFiles.ts'
import { oracleFilesOf, readOracles } from '../policyPackage.ts'
import { changedPrivateData, privateUsesOf, readTestPrivateData } from '../testPrivateData.ts'
import { type CaseOutcome, type CaseRunner, openCaseRunner } from './caseRunner.ts'
import { argsProblemOf, checkParams, checkWasmArgs } from './caseSchemas.ts'
import { type FailOpenResult, failOpenResults, isFailOpen, slowLimits } from './failOpen.ts'
import { loadCases, type PlacedCase } from './loadCases.ts'
import { loadMocks } from './loadMocks.ts'
import { type MockSources, mockTable } from './mockTable.ts'
import { openPolicyCode } from './policyCode.ts'
import { privateFailures } from './privateFailures.ts'
import type { PolicyCoverage, RegoResult } from './regoTests.ts'
import { hostName, hostOf, withSecretHosts } from './secretHosts.ts'

export type CaseResult = {
  readonly case: PlacedCase
  readonly outcome: CaseOutcome
  /** What differs from the expectation; undefined if nothing does. */
  readonly problem: string | undefined
  /** Milliseconds. */
  readonly time: number
}

/** What `policy test` found. */
export type PackageReport = {
  readonly name: string
  readonly rego: readonly RegoResult[]
  readonly cases: readonly CaseResult[]
  readonly failOpen: readonly FailOpenResult[]
  readonly coverage: PolicyCoverage
  readonly warnings: readonly PackageWarning[]
  /** Why it cannot be published, even if its tests pass. */
  readonly problems: readonly string[]
  readonly passed: boolean
  /** Everything that was read. */
  readonly files: readonly string[]
}

/** `rego`: the Rego tests; `table`: the cases, and what decides when hosts fail. */
export type TestPart = 'rego' | 'table'

export type PackageTestOptions = {
  /** What is run; default: everything. Coverage is that of both. */
  readonly parts?: ReadonlySet<TestPart> | undefined
  /** Ends the test before its next case. */
  readonly signal?: AbortSignal | undefined
  /** Coverage below it fails, 0..100. */
  readonly threshold: number
  readonly note: (text: string) => void
}

/**
 * Tests a policy package: its Rego tests, its decision table with its oracles against mocks, and what decides
 * when a mock fails.
 *
 * @throws CommandError if the package cannot be read or has nothing to test, RegoError if its policy does not
 *   compile, the reason of the signal
 */
export async function testPackage(
  directory: string,
  options: PackageTestOptions,
): Promise<PackageReport> {
  const loaded = await loadPolicyPackage(directory)
  if (loaded.tests.length === 0 && loaded.cases === undefined) {
    throw new CommandError(`${loaded.file} names no tests and no cases`, {
      hint: 'Add tests: [policy_test.rego] or cases: cases.yaml.',
    })
  }
  // Before anything runs with them: a schema that takes too long ends the test.
  const unfit = await packageProblems(loaded)
  const code = await openPolicyCode(loaded)
  const { parts = everything } = options
  const run = parts.has('rego') ? await code.test() : undefined
  const { results: rego, near } = run ?? { results: [], near: [] }
  const { cases, failOpen, files } = await runTable(loaded, options)
  for (const { outcome } of cases) code.evaluated(outcome)
  const coverage = await code.coverage()
  const ofPackage = (await packageWarnings(loaded)).filter(
    ({ id }) => id !== 'unhandled-oracle-error' || failOpen.length === 0,
  )
  const warnings = [...ofPackage, ...swallowed(failOpen), ...near.map(notRun)]
  const problems = [
    ...unfit.map(({ message }) => message),
    ...(run === undefined ? [] : filesWithoutTests(loaded, rego)),
    ...(await unusableComponents(loaded, unfit.length > 0, options)),
  ]
  const passed =
    problems.length === 0 &&
    rego.every(({ status }) => status === 'pass' || status === 'skip') &&
    cases.every(({ problem }) => problem === undefined) &&
    !failOpen.some(isFailOpen) &&
    coverage.percent >= options.threshold
  const { name } = loaded
  return { ...{ name, rego, cases, failOpen, coverage, warnings, problems, passed }, files }
}

/** What made it fail, one line each; not the coverage. */
export const packageFailures = ({
  rego,
  cases,
  failOpen,
  problems,
}: PackageReport): readonly string[] => [
  ...problems,
  ...rego
    .filter(({ status }) => status !== 'pass' && status !== 'skip')
    .map(({ test, error }) => [fullName(test), error?.text].filter(Boolean).join(': ')),
  ...cases.flatMap(({ case: { name }, problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  ),
  ...failOpen
    .filter(isFailOpen)
    .map(({ name, host, failure }) => `${name}: ${host} ${failure}, and it is allowed`),
]

/** A file of tests in which none runs proves nothing: a typo, an empty file, or only skipped tests. */
const filesWithoutTests = ({ tests }: PolicyPackage, rego: readonly RegoResult[]) =>
  tests
    .filter(
      (path) =>
        !rego.some(
          ({ test, status }) => status !== 'skip' && test.location.file === basename(path),
        ),
    )
    .map((path) => `${path} has no test that runs: names of tests start with test_`)

/** Components that no operator could run, of a package whose tests run none. */
async function unusableComponents(
  loaded: PolicyPackage,
  isUnfit: boolean,
  { note, parts = everything }: Pick<PackageTestOptions, 'note' | 'parts'>,
): Promise<readonly string[]> {
  if (isUnfit || loaded.cases !== undefined || !parts.has('table')) return []
  try {
    const read = (source: string) => readComponent(source, note)
    const contents = await packageContents(loaded, ownHostNames, read)
    await checkComponents(contents, ownHostNames)
    return []
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return [error.message]
  }
}

/** Id of a warning. */
export const TEST_NOT_RUN = 'test-not-run'

const notRun = ({ name, location: { file, row, col } }: NearTest): PackageWarning => ({
  id: TEST_NOT_RUN,
  place: `${file}:${row}:${col}`,
  message: `${name} looks like a test and is not run`,
  help: 'names of tests start with test_',
})

const everything: ReadonlySet<TestPart> = new Set(['rego', 'table'])

async function runTable(
  loaded: PolicyPackage,
  { note, signal, parts = everything }: Pick<PackageTestOptions, 'note' | 'signal' | 'parts'>,
): Promise<{
  readonly cases: readonly CaseResult[]
  readonly failOpen: readonly FailOpenResult[]
  readonly files: readonly string[]
}> {
  const nothing = { cases: [], failOpen: [], files: loaded.files }
  if (loaded.cases === undefined || !parts.has('table')) return nothing
  await checkWasmArgs(loaded)
  const cases = await loadCases(loaded.cases, loaded)
  const { inputs, secrets } = await readOracles(loaded.oracles.map(oracleFilesOf), {
    ...{ wasmArgs: new Map<string, string>(), note },
  })
  const none: MockSources & { readonly files: readonly string[] } = {
    ...{ hosts: {}, exchanges: [], files: [] },
  }
  const ofPackage = loaded.mocks === undefined ? none : await loadMocks(loaded.mocks, secrets)
  const { table, mocks } = resolvedCases(cases, ofPackage, secrets)
  const hosts = new Set(table.flatMap((each) => mockTable(mocks, each.mocks).hosts))
  const uses = await privateUsesOf(loaded.policy)
  const privateData = uses && (await readTestPrivateData(loaded.testPrivateData))
  const shared = { loaded, inputs, secrets, privateData, mocks, hosts: [...hosts], signal }
  const runner = await openCaseRunner({ ...shared, limits: {} })
  const slow = await openCaseRunner({ ...shared, limits: slowLimits }).catch(async (error) => {
    await runner.close()
    throw error
  })
  try {
    const results: CaseResult[] = []
    const failOpen: FailOpenResult[] = []
    for (const each of table) {
      await checkParams(loaded, each)
      const result = await runCase(runner, each, loaded)
      results.push(result)
      if (result.outcome.decision !== 'allow') continue
      const given = changedPrivateData(privateData ?? {}, each.privateData)
      const failures = uses === undefined ? [] : privateFailures(uses, given)
      const failing = { runner, slow, privateFailures: failures }
      failOpen.push(...(await failOpenResults(each, result.outcome, failing)))
    }
    return { cases: results, failOpen, files: [...loaded.files, ...mocks.files] }
  } finally {
    await Promise.all([runner.close(), slow.close()])
  }
}

/** With the hosts that are secrets. @throws CommandError without the secret */
function resolvedCases<Mocks extends MockSources>(
  cases: readonly PlacedCase[],
  mocks: Mocks,
  secrets: SecretsByOracle,
): { readonly table: readonly PlacedCase[]; readonly mocks: Mocks } {
  const secretHosts = new Map(mocks.secretHosts)
  const resolved = cases.map((each) => {
    const own = withSecretHosts(each.mocks ?? {}, secrets, () => each.place)
    for (const [host, name] of own.secretHosts)
      if (!secretHosts.has(host)) secretHosts.set(host, name)
    return { ...each, mocks: own.hosts }
  })
  // Reports have one name for each host.
  const nameOf = (name: string, place: string): string => {
    const host = hostName(hostOf(name, secrets, place))
    return secretHosts.get(host) ?? host
  }
  const table = resolved.map(({ allowsDespite = {}, ...each }) => ({
    ...each,
    allowsDespite: Object.fromEntries(
      Object.entries(allowsDespite).map(([name, modes]) => [nameOf(name, each.place), modes]),
    ),
  }))
  return { table, mocks: { ...mocks, secretHosts } }
}

async function runCase(
  runner: CaseRunner,
  each: PlacedCase,
  { oracles }: Pick<PolicyPackage, 'oracles'>,
): Promise<CaseResult> {
  const begin = performance.now()
  const outcome = await runner.run(each)
  const time = performance.now() - begin
  const problem = problemOf(each, outcome) ?? (await argsProblemOf(each, outcome, oracles))
  return { case: each, outcome, problem, time }
}

/** What differs from the expectation of a case. */
export function problemOf(
  { expect }: Pick<PlacedCase, 'expect'>,
  {
    decision,
    reasons,
    error,
    unwritten = [],
  }: Pick<CaseOutcome, 'decision' | 'reasons' | 'error'> & Partial<Pick<CaseOutcome, 'unwritten'>>,
): string | undefined {
  if (unwritten.length > 0)
    return `a mock that it asks is not filled in: ${[...new Set(unwritten)].slice(0, 5).join('; ')}`
  const found =
    decision === 'fails'
      ? `it fails: ${error ?? 'without an error'}`
      : decision === 'allow'
        ? 'it is allowed'
        : `it is denied: ${reasons.length === 0 ? 'without a reason' : reasons.join('; ')}`
  if (expect === 'denyOrFail')
    return decision === 'allow' ? `expected no allow, but ${found}` : undefined
  if (expect === 'allow' || expect === 'deny')
    return decision === expect ? undefined : `expected ${expect}, but ${found}`
  if ('fails' in expect) {
    const fails = decision === 'fails' && (error ?? '').includes(expect.fails)
    return fails ? undefined : `expected a failure with "${expect.fails}", but ${found}`
  }
  const wanted = [...new Set(expect.deny)].sort()
  const same = decision === 'deny' && JSON.stringify(wanted) === JSON.stringify(reasons)
  if (same) return undefined
  const missing = wanted.filter((reason) => !reasons.includes(reason))
  const others = reasons.filter((reason) => !wanted.includes(reason))
  if (decision !== 'deny') return `expected deny, but ${found}`
  return [
    ...missing.map((reason) => `the reason is missing: ${reason}`),
    ...others.map((reason) => `a reason more: ${reason}`),
  ].join('; ')
}

/** Oracles that gave an output without an error although a host failed. */
function swallowed(results: readonly FailOpenResult[]): readonly PackageWarning[] {
  const warned = new Map<string, PackageWarning>()
  for (const { kind, host, failure, mode, outcome, accepted, place } of results) {
    if (kind === 'private data' || accepted || outcome.evaluation === undefined) continue
    const wasm = JSON.parse(outcome.evaluation.wasm) as Readonly<Record<string, unknown>>
    const packs = Object.entries(wasm)
    const reported = packs.some(([, output]) => Object.hasOwn(Object(output), 'error'))
    if (reported || warned.has(`${host} ${mode}`)) continue
    const output = JSON.stringify(wasm)
    warned.set(`${host} ${mode}`, {
      id: 'swallowed-failure',
      place,
      message: `${host} ${failure}, and no oracle reports an error: ${output.slice(0, 200)}`,
      help: 'return {"<id>": {"error": "..."}} when a host does not give what the oracle needs',
    })
  }
  return [...warned.values()]
}
