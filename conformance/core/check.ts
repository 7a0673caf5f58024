import type { Level } from '../register/clause.ts'
import type { Profile } from '../register/profiles.ts'
import type { CheckContext } from './context.ts'
import type { OwnSource, PlannedCheck } from './events.ts'
import type { KeyName } from './exchange.ts'

/** Never probed: a target has them unless its file declares them as not applicable. */
export const declaredCapabilities = [
  'challenge-form',
  'envelope-form',
  'identity-signature-form',
  'oracles',
  'unattested-data',
] as const
export type DeclaredCapability = (typeof declaredCapabilities)[number]

/**
 * What a check requires of the target and the test environment. Probed before the run. If a
 * capability is missing, the check is untestable with that reason, or not applicable if the target
 * file waives it with a reason.
 *
 * - `key:*`: an API key with that permission (section 5.1)
 * - `chain`: a JSON-RPC node of the target's chain; `chain:dev`: one that mines on request and
 * impersonates
 * - `operator-control`: a listener that stops and starts operators
 * - `world`: the same listener changes the data that oracles fetch: prices, lists, outages
 * - `limit-control`, `key-control`: it also sets rate limits, and creates and deletes keys
 * - `sender`: the private key of the sender of intents
 * - `owner`: the private key of the owner of policy clients, which deploys new ones
 * - `stranger`: that of the owner associated with the key `stranger`
 * - `identity-registry`, `confidential-registry`: contracts of section 4.10; `provider`: an account
 * that the latter accepts and that the key `write` represents
 * - `envelope-form`, `identity-signature-form`: forms that the specification leaves open, and the
 * suite has to choose: the associated data of envelopes (decisions K2, K4), and the typed data that
 * the owner of identity data signs (decision K6). A gateway with other forms declares them as not
 * applicable; otherwise a refusal is a failure
 * - `websocket`: an address that sends task updates (section 4.11)
 * - `explorer`: an address of the explorer (section 4.12); `second-network`: another chain that it
 * shows
 * - `chaos`: a listener that injects faults between the gateway and its chain, operators and oracle
 * data
 * - `challenge-form`: who may challenge a response on chain, and with which evidence, which the
 * specification leaves open: anyone, with a second signed result; other evidence is recorded as
 * unsuccessful (decision C13). Not probed, as the forms above
 * - `oracles`: the gateway runs oracles on request (sections 4.6 and 4.7). Not probed: a gateway without
 * them fails these checks, unless its target file waives them
 * - `unattested-data`: simulateTask takes supplied data that no attester has signed, which the
 * specification leaves open. Not probed, as `oracles`
 * - `webhook-receiver`: an address of the suite that the gateway can reach
 * - `client:*`: a deployed policy client that runs that fixture
 */
export type Capability =
  | `key:${KeyName}`
  | 'chain'
  | 'chain:dev'
  | 'operator-control'
  | 'operators'
  | 'limit-control'
  | 'key-control'
  | 'sender'
  | 'owner'
  | 'stranger'
  | 'provider'
  | 'identity-registry'
  | 'confidential-registry'
  | 'fixture-host'
  | 'world'
  | 'chaos'
  | 'websocket'
  | 'explorer'
  | 'second-network'
  | 'webhook-receiver'
  | `client:${string}`
  | DeclaredCapability

/** What is known of a check without running it. */
export type CheckInfo = {
  /** Never reused, never renamed: `rpc.createTask.empty-signature`. */
  readonly id: string
  readonly title: string
  /** Ids of the clauses it proves or refutes. */
  readonly clauses: readonly string[]
  readonly level: Level
  readonly needs: readonly Capability[]
  /** Parts of the service that it calls, where its id and its needs say something else: `checkProfiles`. */
  readonly profiles?: readonly Profile[]
  /** It calls methods that the target may not know, and accepts the error of an unknown method. */
  readonly callsAny?: true
  /** What it uses where the target has it; without it the check runs in another way. */
  readonly uses?: readonly Capability[]
  /**
   * For a check that expects a refusal: the valid request, accepted in the same run, from which the
   * refused one differs in one member. The check must run it through `context.twin`.
   */
  readonly twin?: string
  /** Changes state that other checks rely on (operators, blocks): runs alone. */
  readonly exclusive?: true
  /** Of the gateway, not of the suite: it cites no clause. */
  readonly own?: OwnSource
}

/** One test of the target, as data and a function. */
export type Check = CheckInfo & { readonly run: (context: CheckContext) => Promise<void> }

/** The section of the checks of a gateway itself. */
export const ownSection = 'own'

/** The section of a check: that of its first clause. */
export const sectionOf = (check: CheckInfo): string =>
  check.own === undefined ? (check.clauses[0]?.split('-')[0] ?? '') : ownSection

/** A check as the event log names it. */
export const planned = (check: CheckInfo): PlannedCheck => ({
  id: check.id,
  title: check.title,
  section: sectionOf(check),
  clauses: check.clauses,
  level: check.level,
  ...(check.own === undefined ? {} : { own: check.own }),
})

/** A check as a certificate knows it: with what decides which profiles it belongs to. */
export type SuiteCheck = PlannedCheck & Pick<CheckInfo, 'needs' | 'profiles'>

export const suiteCheck = (check: CheckInfo): SuiteCheck => ({
  ...planned(check),
  needs: check.needs,
  ...(check.profiles === undefined ? {} : { profiles: check.profiles }),
})

/** What an id ends with: `no-key` of `rpc.keys.invalid.no-key`. */
export const lastPart = (id: string): string => id.slice(id.lastIndexOf('.') + 1)
