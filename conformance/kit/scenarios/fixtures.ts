import { fill, policyFixture } from 'polgate-fixtures/catalogue.ts'
import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import type { JsonObject } from '../../core/expect.ts'
import { failureText } from '../../core/failureText.ts'

/** Names of the policy clients that checks use, as in `clients` of a stack. */
export const fixture = {
  /** Decides on recipient, function and value alone. */
  simple: 'allow-list',
  /** Its decision is true, false or CAP. */
  cap: 'cap',
  /** One oracle with a secret and an outgoing request. */
  priced: 'priced-transfer',
  /** Two oracles; its client exposes no EIP-712 domain. */
  multi: 'multi-oracle',
  /** Reads `input.intent_signature`. */
  signed: 'signed-intent',
  /** Also reads `input.intent_digest`: the vault's owner must have signed. */
  vaultOwner: 'vault-owner',
  /** Decides over identity, confidential or ephemeral data, by the value of the intent. */
  private: 'private-data',
  /** As `priced`, without an owner, with another owner, and without secrets. */
  ownerless: 'ownerless',
  strangers: 'owned-by-stranger',
  withoutSecrets: 'without-secrets',
  /** A fast oracle that returns its input. */
  echo: 'echoed-approval',
  /** An oracle that executes the instructions in `wasm_args`. */
  probed: 'probed',
  /** Oracles that count the runs of their instance, and that return a plain string. */
  companions: 'companions',
  /** Oracles that trap, never end, or import unavailable functions. */
  trapping: 'trapping-oracle',
  looping: 'looping-oracle',
  forbidden: 'forbidden-import',
  /** As `simple` and `priced`, with a major version that no service supports. */
  otherPolicyVersion: 'policy-of-version-9',
  otherDataVersion: 'policy-data-of-version-9',
} as const

/** The policy of a client, so that a simulation gets the same input as the task. */
export type FixturePolicy = {
  readonly source: string
  readonly entrypoint: string
  readonly params: JsonObject
  /** The input of its oracles. */
  readonly wasmArgs: JsonObject
}

/** The fixture of a client, its placeholders filled for this target. */
export function policyOfClient(t: CheckContext, name: string): FixturePolicy {
  const { source, entrypoint, paramsText, wasmArgs } = policyFixture(t.client(name).fixture)
  const places =
    t.target.fixtureHostUrl === undefined ? {} : { fixture_host: t.target.fixtureHostUrl }
  try {
    const params = JSON.parse(fill(paramsText, places)) as JsonObject
    return { source, entrypoint, params, wasmArgs: fill(wasmArgs, places) }
  } catch (error) {
    throw new Untestable(`the fixture of ${name}: ${failureText(error)}`)
  }
}
