import type { PrivateUses } from 'polgate-rego/privateUses.ts'
import type { FailureMode } from '../../package/casesSchema.ts'
import type { TestPrivateData } from '../../package/privateDataSchema.ts'
import type { PrivateFailure } from './caseRunner.ts'

/** One way in which private data that a policy reads is missing or malformed. */
export type PrivateDataFailure = {
  /** As reports and `allowsDespite` name it. */
  readonly source: string
  readonly mode: FailureMode
  readonly failure: string
  readonly apply: PrivateFailure
}

type Data = Readonly<Record<string, unknown>>

/** No member keeps a type that a policy can expect. */
const malformed = (data: Data) =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'number' ? '' : 0]),
  )

const empty = (data: Data): Record<string, Record<string, unknown>> =>
  Object.fromEntries(Object.keys(data).map((name) => [name, {}]))

/** Failures of the private data that a policy reads, as those of hosts. */
export function privateFailures(
  { identity, confidential, privacy }: PrivateUses,
  given: TestPrivateData,
): readonly PrivateDataFailure[] {
  const types = confidential === 'all' ? Object.keys(given.confidential ?? {}) : confidential
  return [
    ...(identity ? identityFailures() : []),
    ...types.flatMap((type) => confidentialFailures(type)),
    ...(privacy ? privacyFailures() : []),
  ]
}

function identityFailures(): readonly PrivateDataFailure[] {
  const source = 'service.identity'
  return [
    {
      ...{ source, mode: 'down', failure: 'is not linked' },
      apply: ({ identity: _, ...others }) => others,
    },
    {
      ...{ source, mode: 'garbage', failure: 'is empty' },
      apply: (usual) => ({ ...usual, identity: {} }),
    },
    {
      ...{ source, mode: 'garbage', failure: 'is malformed' },
      apply: (usual) => ({ ...usual, identity: malformed(usual.identity ?? {}) }),
    },
  ]
}

function confidentialFailures(type: string): readonly PrivateDataFailure[] {
  const source = `service.confidential.${type}`
  const changed = (change: (data: Data) => Data | undefined): PrivateFailure =>
    function failed(usual) {
      const { [type]: data = {}, ...others } = usual.confidential ?? {}
      const next = change(data)
      return {
        ...usual,
        confidential: next === undefined ? others : { ...others, [type]: { ...next } },
      }
    }
  return [
    { source, mode: 'down', failure: 'is missing', apply: changed(() => undefined) },
    { source, mode: 'garbage', failure: 'is empty', apply: changed(() => ({})) },
    { source, mode: 'garbage', failure: 'is malformed', apply: changed(malformed) },
  ]
}

function privacyFailures(): readonly PrivateDataFailure[] {
  const source = 'data.privacy'
  return [
    {
      ...{ source, mode: 'down', failure: 'is not sent' },
      apply: (usual) => ({ ...usual, privacy: {} }),
    },
    {
      ...{ source, mode: 'garbage', failure: 'is empty' },
      apply: (usual) => ({ ...usual, privacy: empty(usual.privacy ?? {}) }),
    },
    {
      ...{ source, mode: 'garbage', failure: 'is malformed' },
      apply: (usual) => ({
        ...usual,
        privacy: Object.fromEntries(
          Object.entries(usual.privacy ?? {}).map(([name, data]) => [name, malformed(data)]),
        ),
      }),
    },
  ]
}
