import { policyDataAbi } from 'polgate-chain/artifacts/abis.ts'
import { policyFixture } from 'polgate-fixtures/catalogue.ts'
import type { Hex } from 'viem'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectThat, type JsonObject } from '../../core/expect.ts'
import { fixture } from './fixtures.ts'
import { newClient, policyWith, redeployedPolicyData } from './newClient.ts'
import { expectSteps, type Step, secretProbe, step, tape } from './probe.ts'
import {
  expectStored,
  ownSecrets,
  sealedFor,
  secretsNeeds,
  simulateWithClient,
  storeSecrets,
} from './secrets.ts'

/** What a check needs that stores secrets of a probe. */
export const probeSecretsNeeds = [...secretsNeeds, `client:${fixture.probed}`] as const

/** Secrets of a probe; a text is sealed unchanged. Those that the probe returns are no canaries. */
export type ProbeSecrets = JsonObject | string

/** A new client without stored secrets. */
export const probeClient = (t: CheckContext): Promise<Hex> => newClient(t, fixture.probed)

/** The same probe, with the same schema, at a new address. */
async function anotherProbe(t: CheckContext): Promise<Hex> {
  const schema = await t.chain().readContract({
    address: secretProbe(t),
    abi: policyDataAbi,
    functionName: 'getSecretsSchemaCid',
  })
  return redeployedPolicyData(t, schema, fixture.probed)
}

/** New clients, and two probes with secrets that their policy lists. */
export async function clientsOfTwoProbes(
  t: CheckContext,
  count: number,
): Promise<{ readonly clients: readonly Hex[]; readonly addresses: readonly Hex[] }> {
  const addresses = [secretProbe(t), await anotherProbe(t)]
  const policy = await policyWith(t, addresses, fixture.probed)
  const clients: Hex[] = []
  for (let at = 0; at < count; at += 1) clients.push(await newClient(t, fixture.probed, { policy }))
  return { clients, addresses }
}

/** The schema of a probe's secrets. */
export const probeSchema = (): JsonObject => policyFixture('probed').oracles[0]!.secretsSchema!

/** `secrets` of simulatePolicyData (decision K8). */
export const ownProbeSecrets = (
  t: CheckContext,
  client: Hex,
  secrets: ProbeSecrets,
): Promise<string> => ownSecrets(t, secrets, client)

/** Uploads secrets of a probe, to the fixture's PolicyData by default. */
export const uploadProbe = async (
  t: CheckContext,
  client: Hex,
  secrets: ProbeSecrets,
  address: Hex = secretProbe(t),
): Promise<Answer> =>
  storeSecrets(t, {
    policy_client: client,
    policy_data_address: address,
    envelope: JSON.stringify(await sealedFor(t, client, secrets)),
  })

/** The same; must succeed. */
export const storeProbe = async (...args: Parameters<typeof uploadProbe>): Promise<JsonObject> =>
  expectStored(await uploadProbe(...args))

/** Runs a probe with the secrets stored for a client. */
export const runStored = (
  t: CheckContext,
  client: Hex,
  steps: readonly Step[],
  address: Hex = secretProbe(t),
): Promise<Answer> =>
  simulateWithClient(t, {
    policy_client: client,
    policy_data_address: address,
    wasm_args: tape(...steps),
  })

/** The bytes that get() returned to the first step of a run that must succeed. */
export function bytesGiven(answer: Answer): Buffer {
  const [done] = expectSteps(answer)
  expectThat(done?.kind === 'value', 'the result of get()', 'bytes', done)
  return done.value
}

/** The stored secrets that a probe reads for a client and an address. */
export const storedBytes = async (t: CheckContext, client: Hex, address?: Hex): Promise<Buffer> =>
  bytesGiven(await runStored(t, client, [step.get], address))
