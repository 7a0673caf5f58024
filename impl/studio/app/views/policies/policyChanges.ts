import type { PolicyDetail } from 'polgate-protocol/control/policies.ts'

/** A fact of a policy in which another one differs; null where there is none. */
export type PolicyChange = {
  readonly name: string
  readonly now: string | null
  readonly next: string | null
}

const facts: readonly (readonly [name: string, of: (policy: PolicyDetail) => string | null])[] = [
  ['Policy', ({ address }) => address],
  ['Name', ({ name }) => name],
  ['Version', ({ version }) => version],
  ['Entrypoint', ({ entrypoint }) => entrypoint],
  ['Owner', ({ owner }) => owner],
  ['Rego source', ({ source }) => source.cid],
  ['Schema of the parameters', ({ paramsSchema }) => paramsSchema?.cid ?? null],
  ['Oracles', ({ sources }) => sources.map(({ wasmCid }) => wasmCid).join(', ') || null],
]

/** In what a policy differs from the one that a client has. @param now null where that cannot be read */
export const policyChanges = (
  now: PolicyDetail | null,
  next: PolicyDetail,
): readonly PolicyChange[] =>
  facts
    .map(([name, of]) => ({ name, now: now === null ? null : of(now), next: of(next) }))
    .filter((change) => change.now !== change.next)
