import { type Hex, zeroAddress } from 'viem'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import type { KeyName } from '../core/exchange.ts'
import { expectMatch, expectObject, expectThat } from '../core/expect.ts'
import { expectEnvelope } from '../kit/assertions/expectAnswer.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { moveOwnership, newClient } from '../kit/scenarios/newClient.ts'
import { simulateOracle } from '../kit/scenarios/oracles.ts'
import { expectFailure } from '../kit/scenarios/requests.ts'
import {
  acceptedSecrets,
  clientWithSecrets,
  expectPrice,
  expectStored,
  secretsNeeds,
  simulateWithClient,
  storeParams,
  storeSecrets,
  withClientParams,
} from '../kit/scenarios/secrets.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'
import { lacking } from '../targets/targetLine.ts'

/** Sections 5.2, 7.2 and 7.3: the owner of a client, read from the chain for each request. */
const ownNeeds = [...secretsNeeds, 'key:rpc', 'key:stranger'] as const

/** One of the three methods that require ownership if there are secrets. */
type Way = {
  readonly name: string
  readonly clauses: readonly string[]
  /** What its call needs besides secrets. */
  readonly needs: Check['needs']
  readonly call: (t: CheckContext, client: Hex, key: KeyName) => Promise<Answer>
  readonly accepted: (answer: Answer) => unknown
  /** The ids of its checks with the client of another owner, without an owner, with another's key. */
  readonly checks?: { readonly another: string; readonly none: string; readonly stranger: string }
  /** The code of section 7.2, if it names the method. */
  readonly code?: number
}

const ways: readonly Way[] = [
  {
    name: 'simulatePolicyDataWithClient',
    clauses: ['5.2-06', '4.7-07', '7.2-07'],
    needs: ['oracles'],
    call: (t, client, key) => simulateWithClient(t, withClientParams(t, client), { key }),
    accepted: expectPrice,
    checks: {
      // 5.2-09: The check fails for a client of another owner.
      // 7.3-05: The message for a client of another owner has "policy client {addr} is owned by
      //   another user".
      // 5.2-06: simulatePolicyDataWithClient checks ownership.
      // 4.7-07: Ownership of the policy client is checked.
      // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
      //   "Authorization failed:".
      // 7.3-18: Authorization failures are JSON-RPC error objects.
      another: 'rpc.simulatePolicyDataWithClient.owner.another',
      // 5.2-10: The check fails for a client whose owner is the zero address.
      // 7.3-06: The message for a client without an owner has "policy client {addr} has no
      //   owner...".
      // 5.2-06: simulatePolicyDataWithClient checks ownership.
      // 4.7-07: Ownership of the policy client is checked.
      // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
      //   "Authorization failed:".
      // 7.3-18: Authorization failures are JSON-RPC error objects.
      none: 'rpc.simulatePolicyDataWithClient.owner.none',
      // 5.2-04: The caller’s key must be associated with the on-chain owner (getOwner()).
      // 7.3-05: The message for a client of another owner has "policy client {addr} is owned by
      //   another user".
      // 5.2-06: simulatePolicyDataWithClient checks ownership.
      // 4.7-07: Ownership of the policy client is checked.
      // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
      //   "Authorization failed:".
      // 7.3-18: Authorization failures are JSON-RPC error objects.
      stranger: 'rpc.simulatePolicyDataWithClient.owner.stranger',
    },
    code: -32002,
  },
  {
    name: 'simulatePolicy',
    clauses: ['5.2-07', '4.8-15', '7.2-07'],
    needs: ['sender'],
    call: (t, policy_client, key) => simulateOracle(t, fixture.priced, { policy_client }, { key }),
    accepted: expectEvaluation,
    code: -32002,
  },
  {
    name: 'storeEncryptedSecrets',
    clauses: ['5.2-08', '4.5-08'],
    needs: [],
    call: async (t, client, key) => storeSecrets(t, await storeParams(t, client), { key }),
    accepted: expectStored,
    checks: {
      // 5.2-09: The check fails for a client of another owner.
      // 7.3-05: The message for a client of another owner has "policy client {addr} is owned by
      //   another user".
      // 5.2-08: storeEncryptedSecrets checks ownership.
      // 4.5-08: Only the on-chain owner of the policy client may upload.
      // 7.3-18: Authorization failures are JSON-RPC error objects.
      another: 'rpc.storeEncryptedSecrets.owner.another',
      // 5.2-10: The check fails for a client whose owner is the zero address.
      // 7.3-06: The message for a client without an owner has "policy client {addr} has no
      //   owner...".
      // 5.2-08: storeEncryptedSecrets checks ownership.
      // 4.5-08: Only the on-chain owner of the policy client may upload.
      // 7.3-18: Authorization failures are JSON-RPC error objects.
      none: 'rpc.storeEncryptedSecrets.owner.none',
      // 5.2-04: The caller’s key must be associated with the on-chain owner (getOwner()).
      // 7.3-05: The message for a client of another owner has "policy client {addr} is owned by
      //   another user".
      // 5.2-08: storeEncryptedSecrets checks ownership.
      // 4.5-08: Only the on-chain owner of the policy client may upload.
      // 7.3-18: Authorization failures are JSON-RPC error objects.
      stranger: 'rpc.storeEncryptedSecrets.owner.stranger',
    },
  },
]

const ownedByAnother = /policy client 0x[0-9a-f]{40} is owned by another user/i
const withoutOwner = /policy client 0x[0-9a-f]{40} has no owner/i

/** Refused for ownership: an error object (section 7.3), with the code if 7.2 names it. */
function expectNotOwner(answer: Answer, way: Way, reason: RegExp): void {
  const { error } = expectEnvelope(answer)
  expectObject(error, `the error of ${way.name}`)
  expectMatch(error.message, reason, `the message of ${way.name}`)
  expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
  if (way.code === undefined) return
  expectThat(error.code === way.code, 'the error code', way.code, error.code)
  expectMatch(error.message, /^Authorization failed:/, `the message of ${way.name}`)
}

const everyWay = ways.flatMap((way) => way.clauses)
const needs = [...ownNeeds, ...ways.flatMap((way) => way.needs)]

async function accepts(t: CheckContext, client: Hex, key: KeyName): Promise<void> {
  for (const way of ways) way.accepted(await way.call(t, client, key))
}

async function refuses(t: CheckContext, client: Hex, key: KeyName, reason: RegExp) {
  for (const way of ways) expectNotOwner(await way.call(t, client, key), way, reason)
}

function strangerOf(t: CheckContext): Hex {
  const stranger = t.target.accounts?.stranger?.address
  if (stranger === undefined)
    throw lacking('the target has no stranger account', 'stranger', t.target)
  return stranger
}

function ownerOf(t: CheckContext): Hex {
  const owner = t.target.accounts?.owner?.address
  if (owner === undefined)
    throw lacking('the target has no owner of policy clients', 'owner', t.target)
  return owner
}

const transferred = (id: string, by: 'setOwner' | 'transferOwnership', clause: string): Check => ({
  id,
  title: `a transfer by ${by}() applies from the next request, and so does the transfer back`,
  clauses: ['5.2-01', clause, '9-03', '5.2-04', '7.3-05', '7.3-18', ...new Set(everyWay)],
  level: 'must',
  needs: [...needs, 'stranger'],
  twin: 'the same requests before the transfer and after the transfer back',
  run: async (t) => {
    const client = await clientWithSecrets(t)
    await t.twin(() => accepts(t, client, 'rpc'))
    await refuses(t, client, 'stranger', ownedByAnother)
    await moveOwnership(t, client, strangerOf(t), by)
    await refuses(t, client, 'rpc', ownedByAnother)
    await accepts(t, client, 'stranger')
    await moveOwnership(t, client, ownerOf(t), by, 'stranger')
    await accepts(t, client, 'rpc')
    await refuses(t, client, 'stranger', ownedByAnother)
  },
})

/** A client of another owner, or without an owner. */
const foreign = (
  id: string,
  way: Way,
  title: string,
  client: string,
  reason: RegExp,
  clauses: readonly string[],
): Check => ({
  id,
  title: `${way.name} for ${title} is refused with that reason`,
  clauses: [...clauses, ...way.clauses, '7.3-18'],
  level: 'must',
  needs: [...ownNeeds, ...way.needs, `client:${client}`],
  twin: 'the same request for a client of the caller',
  run: async (t) => {
    const { policyClient } = await acceptedSecrets(t)
    await t.twin(async () => way.accepted(await way.call(t, policyClient, 'rpc')))
    expectNotOwner(await way.call(t, t.client(client).policyClient, 'rpc'), way, reason)
  },
})

/** The checks of a method with clients of others and without an owner, and with a key of another. */
const ofForeigners = (way: Way, ids: NonNullable<Way['checks']>): readonly Check[] => [
  foreign(ids.another, way, 'the client of another owner', fixture.strangers, ownedByAnother, [
    '5.2-09',
    '7.3-05',
  ]),
  foreign(ids.none, way, 'a client without an owner', fixture.ownerless, withoutOwner, [
    '5.2-10',
    '7.3-06',
  ]),
  {
    id: ids.stranger,
    title: `${way.name} with the key of another owner is refused: owned by another user`,
    clauses: ['5.2-04', '7.3-05', ...way.clauses, '7.3-18'],
    level: 'must',
    needs: [...ownNeeds, ...way.needs],
    twin: 'the same request with the key of the owner',
    run: async (t) => {
      const { policyClient } = await acceptedSecrets(t)
      await t.twin(async () => way.accepted(await way.call(t, policyClient, 'rpc')))
      expectNotOwner(await way.call(t, policyClient, 'stranger'), way, ownedByAnother)
    },
  },
]

export const ownershipOnChain: readonly Check[] = [
  // 5.2-01: The owner is read from the chain on every check: a transfer takes effect with the next
  //   request.
  // 5.2-02: A transfer by transferOwnership() takes effect.
  // 9-03: Ownership of a policy client is determined on chain.
  // 5.2-04: The caller’s key must be associated with the on-chain owner (getOwner()).
  // 7.3-05: The message for a client of another owner has "policy client {addr} is owned by another
  //   user".
  // 7.3-18: Authorization failures are JSON-RPC error objects.
  // 5.2-06: simulatePolicyDataWithClient checks ownership.
  // 4.7-07: Ownership of the policy client is checked.
  // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
  //   "Authorization failed:".
  // 5.2-07: simulatePolicy checks ownership if a listed PolicyData has a secrets schema, and only
  //   then.
  // 4.8-15: Ownership is verified when a listed PolicyData has a secrets schema.
  // 5.2-08: storeEncryptedSecrets checks ownership.
  // 4.5-08: Only the on-chain owner of the policy client may upload.
  transferred('rpc.ownership.transfer.transferOwnership', 'transferOwnership', '5.2-02'),
  // 5.2-01: The owner is read from the chain on every check: a transfer takes effect with the next
  //   request.
  // 5.2-03: A transfer by setOwner() takes effect.
  // 9-03: Ownership of a policy client is determined on chain.
  // 5.2-04: The caller’s key must be associated with the on-chain owner (getOwner()).
  // 7.3-05: The message for a client of another owner has "policy client {addr} is owned by another
  //   user".
  // 7.3-18: Authorization failures are JSON-RPC error objects.
  // 5.2-06: simulatePolicyDataWithClient checks ownership.
  // 4.7-07: Ownership of the policy client is checked.
  // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
  //   "Authorization failed:".
  // 5.2-07: simulatePolicy checks ownership if a listed PolicyData has a secrets schema, and only
  //   then.
  // 4.8-15: Ownership is verified when a listed PolicyData has a secrets schema.
  // 5.2-08: storeEncryptedSecrets checks ownership.
  // 4.5-08: Only the on-chain owner of the policy client may upload.
  transferred('rpc.ownership.transfer.setOwner', 'setOwner', '5.2-03'),
  {
    // 5.2-10: The check fails for a client whose owner is the zero address.
    // 5.2-01: The owner is read from the chain on every check: a transfer takes effect with the
    //   next request.
    // 7.3-06: The message for a client without an owner has "policy client {addr} has no owner...".
    // 7.3-18: Authorization failures are JSON-RPC error objects.
    // 5.2-06: simulatePolicyDataWithClient checks ownership.
    // 4.7-07: Ownership of the policy client is checked.
    // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
    //   "Authorization failed:".
    // 5.2-07: simulatePolicy checks ownership if a listed PolicyData has a secrets schema, and only
    //   then.
    // 4.8-15: Ownership is verified when a listed PolicyData has a secrets schema.
    // 5.2-08: storeEncryptedSecrets checks ownership.
    // 4.5-08: Only the on-chain owner of the policy client may upload.
    id: 'rpc.ownership.given-up',
    title: 'a client whose ownership is renounced is immediately refused as ownerless',
    clauses: ['5.2-10', '5.2-01', '7.3-06', '7.3-18', ...new Set(everyWay)],
    level: 'must',
    needs,
    twin: 'the same requests before the ownership was renounced',
    run: async (t) => {
      const client = await clientWithSecrets(t)
      await t.twin(() => accepts(t, client, 'rpc'))
      await moveOwnership(t, client, zeroAddress, 'setOwner')
      await refuses(t, client, 'rpc', withoutOwner)
      await refuses(t, client, 'stranger', withoutOwner)
    },
  },
  ...ways.flatMap((way) => (way.checks === undefined ? [] : ofForeigners(way, way.checks))),
  {
    // 5.2-11: The error for an address that is not a policy client.
    id: 'rpc.ownership.observed.no-client',
    title: 'observed: addresses without a contract, and contracts that are not policy clients',
    clauses: ['5.2-11'],
    level: 'may',
    needs,
    run: async (t) => {
      await acceptedSecrets(t)
      const client = await newClient(t)
      const { policyAddress } = t.client(fixture.priced)
      for (const address of [`0x${'5f'.repeat(20)}` as Hex, policyAddress])
        for (const way of ways) {
          const answer = await way.call(t, address, 'rpc')
          expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
          expectEnvelope(answer)
          // Another contract may have an owner, who may be the caller; other methods need no owner.
          if (address !== policyAddress && way.name === 'storeEncryptedSecrets')
            expectFailure(answer)
          t.observe(`${way.name} for ${address}: ${answer.exchange.body.slice(0, 240)}`)
        }
      expectStored(await storeSecrets(t, await storeParams(t, client)))
    },
  },
]
