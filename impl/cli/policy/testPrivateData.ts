import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { PrivateUses } from 'polgate-rego/privateUses.ts'
import { yamlReader } from '../package/checkedYaml.ts'
import { runCode } from '../package/codeThreads.ts'
import type { TextFile } from '../package/policyPackage.ts'
import { type PrivateDataChanges, TestPrivateData } from '../package/privateDataSchema.ts'

/** Reads the private data of a package's tests. @throws CommandError */
export async function readTestPrivateData(path: string | undefined): Promise<TestPrivateData> {
  if (path === undefined) return {}
  return (await yamlReader(TestPrivateData, 'private data of tests')(path)).value
}

type Named = Readonly<Record<string, object | null | undefined>>

/** The data with the changes of a case. */
export function changedPrivateData(
  data: TestPrivateData,
  changes: PrivateDataChanges = {},
): TestPrivateData {
  const { identity } = changedMembers({ identity: data.identity }, { identity: changes.identity })
  return {
    ...(identity === undefined ? {} : { identity }),
    confidential: changedMembers(data.confidential ?? {}, changes.confidential ?? {}),
    privacy: changedMembers(data.privacy ?? {}, changes.privacy ?? {}),
  }
}

function changedMembers(base: Named, changes: Named): Record<string, Record<string, unknown>> {
  const all = { ...base, ...changes }
  const kept = Object.keys(all).flatMap((name) => {
    const change = changes[name]
    if (change === null) return []
    const value = changed(base[name] ?? undefined, change)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(kept)
}

/** Members of `changes` replace those of an object; null removes one. */
function changed(base: object | undefined, changes: object | undefined) {
  if (changes === undefined) return base as Record<string, unknown> | undefined
  const all = Object.entries({ ...base, ...changes } as Record<string, unknown>)
  return Object.fromEntries(
    all.filter(([name, value]) => !(Object.hasOwn(changes, name) && value === null)),
  )
}

/** The data in the form that operators evaluate with; a type that is missing is not granted. */
export const privateDataJson = ({
  identity = undefined,
  confidential = {},
  privacy = {},
}: TestPrivateData): string =>
  stringifyExact({
    identity: identity ?? null,
    confidential: Object.fromEntries(
      Object.entries(confidential).map(([type, data]) => [type, { granted: true, data }]),
    ),
    privacy,
  })

/** Which private data a policy reads; undefined for none. @throws CommandError if that takes too long */
export async function privateUsesOf({ path, text }: TextFile): Promise<PrivateUses | undefined> {
  const uses = await runCode(path, { kind: 'privateUses', given: text })
  const { identity, confidential, privacy } = uses
  return identity || privacy || confidential === 'all' || confidential.length > 0 ? uses : undefined
}
