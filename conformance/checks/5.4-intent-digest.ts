import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { type Hex, hashTypedData, type TypedDataDomain, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Intent } from '../arbitraries/intent.ts'
import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { decisionOf, responseOfResult } from '../crypto/attestation.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { fixture, policyOfClient } from '../kit/scenarios/fixtures.ts'
import { readDomain, typedIntent } from '../kit/scenarios/intentSignature.ts'
import {
  createTask,
  expectTask,
  failureOf,
  taskParams,
  transferIntent,
} from '../kit/scenarios/requests.ts'
import { evaluate, policyOf } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'
import {
  expectTaskSimulation,
  simulateTask,
  taskSimulationParams,
} from '../kit/scenarios/taskSimulation.ts'

/**
 * Section 5.4: the digest signed by `intent_signature`, as a policy gets it. `intent_digest` is not
 * in the specification: a gateway without it, or with another meaning of it, does not fail.
 */
const needs = createTaskSubject.needs
const domainNeeds = [...needs, `client:${fixture.simple}`] as const
const ownerNeeds = [...needs, `client:${fixture.vaultOwner}`] as const

const absent = 'absent'
const digestPolicy = policyOf(
  'deny := []',
  `seen := object.get(input, "intent_digest", "${absent}")`,
)

const seenBySimulation = (t: CheckContext, policy_client: string, intent: Intent) =>
  evaluate(t, digestPolicy, { policy_client, intent, entrypoint: 'policy.seen' })

/** The denial reason of the operator in `simulateTask`, which shows the policy's input. */
async function seenByTaskSimulation(t: CheckContext, params: Record<string, unknown>) {
  const policy = toHex(
    policyOf(`deny contains object.get(input, "intent_digest", "${absent}") if true`),
  )
  const { policy_task_data } = taskSimulationParams(t) as { policy_task_data: object }
  const { result } = expectTaskSimulation(
    await simulateTask(t, { ...params, policy_task_data: { ...policy_task_data, policy } }),
  )
  return (result as { reason?: unknown } | null)?.reason
}

/** The owner in the fixture's parameters: a development account, identified by its address. */
function ownerOf(t: CheckContext) {
  const { owner } = policyOfClient(t, fixture.vaultOwner).params
  const found = devPrivateKeys
    .map((key) => privateKeyToAccount(key))
    .find(({ address }) => address === owner)
  if (found === undefined) throw new Untestable('the key of the fixture’s owner is unknown')
  return found
}

type Signing = {
  readonly sent: Intent
  readonly signed?: Intent
  readonly domain?: TypedDataDomain
  readonly by?: ReturnType<typeof ownerOf>
}

async function decisionFor(t: CheckContext, signing: Signing): Promise<unknown> {
  const { sent, signed = sent, by = ownerOf(t) } = signing
  const domain = { ...(await readDomain(t, fixture.vaultOwner)), ...signing.domain }
  const intent_signature = await by.signTypedData(typedIntent(domain, signed))
  return await decide(t, { intent: sent, intent_signature })
}

async function decide(t: CheckContext, change: Record<string, unknown>): Promise<unknown> {
  const answer = await createTask(t, taskParams(t, fixture.vaultOwner, change))
  // Either a signed denial, or a task that fails for this reason.
  if (failureOf(answer) !== undefined) return false
  return decisionOf(responseOfResult(expectTask(answer)).evaluationResult)
}

export const intentDigest: readonly Check[] = [
  {
    // 5.4-02: Whether a policy can read the digest that intent_signature signs, and under which
    //   name.
    id: 'rpc.intent-digest.seen',
    title:
      'observed: input.intent_digest is the digest that intent_signature signs, in simulations and tasks',
    clauses: ['5.4-02'],
    level: 'may',
    profiles: ['simulation'],
    needs: domainNeeds,
    run: async (t) => {
      const { policyClient } = t.client(fixture.simple)
      const intent = transferIntent(t)
      const digest = hashTypedData(typedIntent(await readDomain(t, fixture.simple), intent))
      observed(
        t,
        'simulate-policy',
        'input.intent_digest of simulatePolicy',
        await seenBySimulation(t, policyClient, intent),
        { digest },
      )
      const params = { intent, policy_client: policyClient }
      observed(
        t,
        'simulate-task',
        'input.intent_digest of simulateTask',
        await seenByTaskSimulation(t, params),
        { digest },
      )
    },
  },
  {
    // 5.4-02: Whether a policy can read the digest that intent_signature signs, and under which
    //   name.
    id: 'rpc.intent-digest.absent',
    title: 'observed: input.intent_digest is absent if no domain can be read',
    clauses: ['5.4-02'],
    level: 'may',
    profiles: ['simulation'],
    needs: [...domainNeeds, `client:${fixture.multi}`],
    run: async (t) => {
      const { policyClient, exposesDomain } = t.client(fixture.multi)
      expectEqual(exposesDomain, false, 'whether the client exposes a domain')
      observed(
        t,
        'simulate-policy',
        'input.intent_digest for a client without a domain',
        await seenBySimulation(t, policyClient, transferIntent(t)),
        { absent },
      )
      observed(
        t,
        'simulate-task',
        'input.intent_digest without a client',
        await seenByTaskSimulation(t, { intent: transferIntent(t) }),
        { absent },
      )
    },
  },
  {
    // 5.4-02: Whether a policy can read the digest that intent_signature signs, and under which
    //   name.
    id: 'rpc.createTask.intent-digest.owner',
    title: 'a policy of the digest allows only what the vault’s owner has signed',
    clauses: ['5.4-02'],
    level: 'may',
    needs: ownerNeeds,
    run: async (t) => {
      const intent = transferIntent(t)
      const allowed = await decisionFor(t, { sent: intent })
      // Whether policies read the digest is open; what they read is not.
      if (allowed !== true && !isRequired(t, 'digest-of-owner'))
        throw new Untestable('policies of this gateway do not read input.intent_digest')
      expectEqual(allowed, true, 'the decision')
      const stranger = privateKeyToAccount(toHex(0xbad5eedn, { size: 32 }))
      const contract: Hex = t.client(fixture.simple).policyClient
      for (const [what, signing] of [
        ['by another account', { by: stranger }],
        ['of another intent', { signed: intent }],
        ['for another chain', { domain: { chainId: 1 } }],
        ['for another contract', { domain: { verifyingContract: contract } }],
        ['for another version', { domain: { version: '2' } }],
      ] as const)
        expectEqual(
          await decisionFor(t, { sent: transferIntent(t), ...signing }),
          false,
          `the decision with a signature ${what}`,
        )
      const unsigned = { intent: transferIntent(t) }
      expectEqual(await decide(t, unsigned), false, 'the decision without a signature')
    },
  },
]
