import type { PolicyPackage } from '../package/policyPackage.ts'
import type { TestPart } from '../policy/test/packageTest.ts'

/** What a file is to a package. */
export type ChangeKind =
  | 'package'
  | 'rego'
  | 'params'
  | 'schema'
  | 'oracle'
  | 'secrets'
  | 'mocks'
  | 'client'
  | 'intent'
  | 'cases'
  | 'tests'

/**
 * What the changed files are to the package. Files that it does not name are left out. A file that is named no more
 * comes with a change of `policy.yaml`, which is all of them.
 *
 * @param mocks files of the mocks, with the recordings that they name
 */
export function changeKinds(
  changed: readonly string[],
  given: PolicyPackage,
  mocks: readonly string[],
): ReadonlyMap<string, ReadonlySet<ChangeKind>> {
  const kinds = new Map<string, Set<ChangeKind>>()
  const add = (path: string | undefined, kind: ChangeKind) => {
    if (path !== undefined) kinds.set(path, (kinds.get(path) ?? new Set()).add(kind))
  }
  add(given.file, 'package')
  add(given.policy.path, 'rego')
  add(given.params?.path, 'params')
  add(given.paramsSchema?.path, 'schema')
  for (const oracle of given.oracles) {
    add(oracle.source, 'oracle')
    add(oracle.secretsSchema?.path, 'schema')
    add(oracle.testSecrets, 'secrets')
    for (const file of [oracle.wasmArgs, oracle.wasmArgsSchema]) add(file?.path, 'intent')
  }
  const { contract } = given.client
  if (contract.kind === 'artifact') add(contract.artifact.path, 'client')
  for (const path of [given.mocks, ...mocks]) add(path, 'mocks')
  for (const path of [given.intent, given.intentDomain]) add(path, 'intent')
  for (const path of [given.cases, given.testPrivateData]) add(path, 'cases')
  for (const path of given.tests) add(path, 'tests')
  return new Map([...kinds].filter(([path]) => changed.includes(path)))
}

const onlyTests: ReadonlySet<ChangeKind> = new Set(['tests'])
const ofRegoTests: ReadonlySet<ChangeKind> = new Set(['package', 'rego', 'tests'])

/** Whether the next task may be decided otherwise, or the intent that is evaluated again is another one. */
export const mayDecideOtherwise = (kinds: ReadonlySet<ChangeKind>): boolean =>
  [...kinds].some((kind) => !onlyTests.has(kind))

/** Which tests may have another result. Rego tests bring their own parameters and data. */
export function affectedTests(kinds: ReadonlySet<ChangeKind>): ReadonlySet<TestPart> {
  const all = [...kinds]
  return new Set([
    ...(all.some((kind) => ofRegoTests.has(kind)) ? (['rego'] as const) : []),
    ...(all.some((kind) => !onlyTests.has(kind)) ? (['table'] as const) : []),
  ])
}
