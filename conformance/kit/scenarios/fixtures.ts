import { fill, policyFixture } from 'polgate-fixtures/catalogue.ts'
import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import type { JsonObject } from '../../core/expect.ts'

/** Names of the policy clients that checks rely on, as a stack's `clients` has them. */
export const fixture = {
  /** Decides on recipient, function and value alone. */
  simple: 'allow-list',
  /** Answers true, false or CAP. */
  cap: 'cap',
  /** One oracle with a secret and an outgoing request. */
  priced: 'priced-transfer',
  /** Two oracles; its client exposes no domain. */
  multi: 'multi-oracle',
  /** Consumes `input.intent_signature`. */
  signed: 'signed-intent',
  /** Consumes `input.intent_digest` with it: the vault's owner has to have signed. */
  vaultOwner: 'vault-owner',
  /** As `priced`, without an owner, with another's, and without secrets. */
  ownerless: 'ownerless',
  strangers: 'owned-by-stranger',
  withoutSecrets: 'without-secrets',
  /** An oracle that repeats its input, quickly. */
  echo: 'echoed-approval',
  /** Oracles that do what `wasm_args` write down for them. */
  probed: 'probed',
  /** Oracles that trap, never end, or import what is not offered. */
  trapping: 'trapping-oracle',
  looping: 'looping-oracle',
  forbidden: 'forbidden-import',
  /** As `simple` and `priced`, of a major version that no service has. */
  otherPolicyVersion: 'policy-of-version-9',
  otherDataVersion: 'policy-data-of-version-9',
} as const

/** What a client's policy is, so that a simulation can be given the same as the task. */
export type FixturePolicy = {
  readonly source: string
  readonly entrypoint: string
  readonly params: JsonObject
  /** The input of its oracles. */
  readonly wasmArgs: JsonObject
}

/** The fixture that a client runs, its placeholders filled for this target. */
export const policyOfClient = (t: CheckContext, name: string): FixturePolicy => {
  const { source, entrypoint, paramsText, wasmArgs } = policyFixture(t.client(name).fixture)
  const places =
    t.target.fixtureHostUrl === undefined ? {} : { fixture_host: t.target.fixtureHostUrl }
  try {
    const params = JSON.parse(fill(paramsText, places)) as JsonObject
    return { source, entrypoint, params, wasmArgs: fill(wasmArgs, places) }
  } catch (error) {
    throw new Untestable(`the fixture of ${name}: ${(error as Error).message}`)
  }
}
