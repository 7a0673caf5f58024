import { policyAbi } from 'polgate-chain/artifacts/abis.ts'
import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectObject, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import {
  expectMoment,
  expectPolicyRow,
  otherNames,
  policyRules,
  specified,
} from '../kit/assertions/explorerRows.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import {
  ask,
  askPolicy,
  expectFound,
  explorerNeeds,
  explorerTaskNeeds,
  networkOf,
} from '../kit/scenarios/explorer.ts'
import { acceptedList, readList } from '../kit/scenarios/explorerLists.ts'
import { shownPolicy, until } from '../kit/scenarios/explorerShown.ts'
import { copyPolicy, factoryOf, ownPolicy } from '../kit/scenarios/explorerSubjects.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClientNeeds, transactorOf } from '../kit/scenarios/newClient.ts'
import { lacking } from '../targets/targetLine.ts'

/** Section 2.10: a policy as shown by the explorer, compared with the chain and its metadata. */
const needs = [...explorerNeeds, 'chain', `client:${fixture.simple}`] as const
const ownNeeds = [...explorerTaskNeeds, ...newClientNeeds] as const

const described = ['name', 'version', 'author', 'description'] as const

const addressOf = (t: CheckContext, name: string = fixture.simple) => t.client(name).policyAddress

const read = (
  t: CheckContext,
  address: `0x${string}`,
  functionName: 'getEntrypoint' | 'getPolicyCid' | 'getSchemaCid' | 'getMetadataCid' | 'version',
): Promise<string> => t.chain().readContract({ address, abi: policyAbi, functionName })

/** The metadata of a policy, if the content is available. */
async function metadataOf(t: CheckContext, address: `0x${string}`): Promise<JsonObject> {
  const cid = await read(t, address, 'getMetadataCid')
  const host = t.target.fixtureHostUrl
  if (host === undefined) throw lacking('the target has no content host', 'fixture-host', t.target)
  const response = await t.fetch(`${host}/ipfs/${cid}`, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Untestable(`the metadata is unavailable: HTTP ${response.status}`)
  const value: unknown = await response.json()
  return isObject(value) ? value : {}
}

/**
 * A policy, once what it shows is its metadata: contents are fetched after the policy was indexed, and what
 * is shown without them is open (clause 2.10-11).
 */
const describedPolicy = (t: CheckContext, address: string, { name }: JsonObject) =>
  shownPolicy(t, address, (row) => row.name === (name ?? null))

/** A policy and its copy, once both are described. */
const describedCopy = (t: CheckContext, original: string, copy: string) =>
  until(
    t,
    'the same metadata for the copy of a policy',
    async () => ({
      original: await shownPolicy(t, original, (row) => row.name !== null),
      shown: await shownPolicy(t, copy, (row) => row.name !== null),
    }),
    (both) => both.shown.name === both.original.name,
  )

/** The transaction created the contract itself, or has a log by it or one that names it. */
async function expectDeployed(t: CheckContext, address: string, hash: string): Promise<void> {
  const { logs, contractAddress } = await t
    .chain()
    .getTransactionReceipt({ hash: hash as `0x${string}` })
  const texts = logs.flatMap((log) => [log.address, ...log.topics, log.data])
  const bare = address.slice(2).toLowerCase()
  const named = [contractAddress ?? '', ...texts].some((text) => text.toLowerCase().includes(bare))
  expectThat(named, 'the transaction', `one that deployed ${address}`, hash)
}

export const explorerPolicy: readonly Check[] = [
  {
    // 2.10-01: address is the address of the policy.
    // 2.10-02: network is the name of the selected network.
    // 2.10-03: name, version, author and description are strings or null.
    // 2.10-05: verified is a boolean or null.
    // 2.10-06: policy_info is an object or null: the on-chain information about the policy, with
    //   its metadata reference.
    // 4.12-07: /policy/{address} returns a policy.
    id: 'explorer.policy.fields',
    title: 'a policy is shown with the specified fields',
    clauses: ['2.10-01', '2.10-02', '2.10-03', '2.10-05', '2.10-06', '4.12-07'],
    level: 'must',
    needs,
    run: async (t) => {
      await acceptedList(t)
      for (const { policyAddress } of Object.values(t.target.clients)) {
        const policy = expectFound(await askPolicy(t, policyAddress))
        expectPolicyRow(policy, networkOf(t))
        expectHex(policy.address, policyAddress, 'address')
      }
    },
  },
  {
    // 2.10-04: name, version, author and description are those of the policy’s metadata document.
    // 2.10-03: name, version, author and description are strings or null.
    id: 'explorer.policy.metadata',
    title: 'name, version, author and description are those of the policy’s metadata',
    clauses: ['2.10-04', '2.10-03'],
    level: 'must',
    needs: [...needs, 'fixture-host'],
    run: async (t) => {
      for (const name of [fixture.simple, fixture.cap]) {
        const address = addressOf(t, name)
        const metadata = await metadataOf(t, address)
        const policy = await describedPolicy(t, address, metadata)
        for (const member of described)
          expectEqual(policy[member], metadata[member] ?? null, `${member} of ${name}`)
      }
    },
  },
  {
    // 2.10-06: policy_info is an object or null: the on-chain information about the policy, with
    //   its metadata reference.
    // 2.10-09: The inner shape of policy_info.
    id: 'explorer.policy.info',
    title: 'policy_info matches the policy on chain, including the metadata reference',
    clauses: ['2.10-06', '2.10-09'],
    level: 'must',
    needs,
    run: async (t) => {
      for (const name of [
        fixture.simple,
        ...(t.target.clients[fixture.multi] ? [fixture.multi] : []),
      ]) {
        const address = addressOf(t, name)
        const policy = expectFound(await askPolicy(t, address))
        const info = policy.policy_info
        expectObject(info, 'policy_info')
        const metadataCid = await read(t, address, 'getMetadataCid')
        const told = JSON.stringify(info)
        expectThat(told.includes(metadataCid), 'policy_info', `the reference ${metadataCid}`, told)
        const owner = await t
          .chain()
          .readContract({ address, abi: policyAbi, functionName: 'getOwner' })
          .catch(() => undefined)
        const onChain = {
          metadata_cid: metadataCid,
          policy_cid: await read(t, address, 'getPolicyCid'),
          schema_cid: await read(t, address, 'getSchemaCid'),
          entrypoint: await read(t, address, 'getEntrypoint'),
          version: await read(t, address, 'version'),
        }
        for (const [member, value] of Object.entries(onChain))
          observed(t, 'member', member, info[member], { onChain: value })
        const data = await t
          .chain()
          .readContract({ address, abi: policyAbi, functionName: 'getPolicyData' })
        observed(t, 'policy-data', 'policy_data', info.policy_data, { onChain: data })
        if (owner !== undefined) observed(t, 'owner', 'owner', info.owner, { onChain: owner })
      }
    },
  },
  {
    // 2.10-07: deployed_txn_hash is the transaction that deployed the policy, or null.
    // 2.10-08: policy_deployed_at is the time of its block in ISO 8601, or null.
    id: 'explorer.policy.deployed',
    title: 'deployed_txn_hash and policy_deployed_at are those of the chain',
    clauses: ['2.10-07', '2.10-08'],
    level: 'must',
    needs,
    run: async (t) => {
      for (const name of [fixture.simple, fixture.cap]) {
        const address = addressOf(t, name)
        const policy = expectFound(await askPolicy(t, address))
        const moment = await expectMoment(t, policy, 'policy_deployed_at', 'deployed_txn_hash')
        const { block } = moment
        await expectDeployed(t, address, moment.hash)
        const client = t.chain()
        const at = (blockNumber: number) =>
          client.getCode({ address, blockNumber: BigInt(blockNumber) }).catch(() => undefined)
        const [before, after] = [await at(block - 1), await at(block)]
        // A node may have pruned old states.
        if (after !== undefined)
          expectEqual(before ?? '0x', '0x', 'the code at the address one block earlier')
      }
    },
  },
  {
    // 4.12-20: A policy that was deployed appears in the list.
    // 4.12-07: /policy/{address} returns a policy.
    // 4.12-08: /policy returns a page of policies, by page and size.
    // 2.10-01: address is the address of the policy.
    // 2.10-04: name, version, author and description are those of the policy’s metadata document.
    // 2.10-08: policy_deployed_at is the time of its block in ISO 8601, or null.
    id: 'explorer.policy.new',
    title: 'a newly deployed copy of a policy is shown, listed and described like its original',
    clauses: ['4.12-20', '4.12-07', '4.12-08', '2.10-01', '2.10-04', '2.10-08'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const { policy } = await ownPolicy(t)
      const { original, shown } = await describedCopy(t, addressOf(t), policy)
      expectPolicyRow(shown, networkOf(t))
      expectHex(shown.address, policy, 'address')
      for (const member of described)
        expectEqual(shown[member], original[member], `${member} of the copy`)
      await expectMoment(t, shown, 'policy_deployed_at', 'deployed_txn_hash')
      const { rows, whole } = await readList(t, '/policy')
      const row = rows.find(({ address }) => String(address).toLowerCase() === policy.toLowerCase())
      // Of a long list only its ends were read, and its order is open.
      if (row === undefined && !whole) return
      expectObject(row, 'the policy in the list')
      const again = expectFound(await askPolicy(t, policy))
      // Whether a list shows members of its own is open.
      expectEqual(
        specified(row, policyRules),
        specified(again, policyRules),
        'the policy in the list',
      )
    },
  },
  {
    // 4.12-26: Whether ids and addresses are matched without regard to case, and the response for
    //   malformed ones.
    id: 'explorer.policy.letters',
    title: 'observed: an address in upper case, and checksummed',
    clauses: ['4.12-26'],
    level: 'may',
    needs,
    run: async (t) => {
      const address = addressOf(t)
      const shown = expectFound(await askPolicy(t, address))
      expectPolicyRow(shown, networkOf(t))
      for (const other of [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
        observed(t, 'policy', other, (await ask(t, `/policy/${other}`)).json, { shown })
    },
  },
  {
    // 2.10-12: Further members of a policy.
    id: 'explorer.policy.observed.members',
    title: 'observed: unspecified members',
    clauses: ['2.10-12'],
    level: 'may',
    needs,
    run: async (t) => {
      const policy = expectFound(await askPolicy(t, addressOf(t)))
      expectPolicyRow(policy, networkOf(t))
      observed(t, 'further-members', 'unspecified members', otherNames(policy, policyRules))
    },
  },
  {
    // 2.10-10: The meaning of verified.
    id: 'explorer.policy.observed.verified',
    title: 'observed: verified, for policies of every kind',
    clauses: ['2.10-10'],
    level: 'may',
    needs,
    run: async (t) => {
      const shown = await shownPolicy(
        t,
        addressOf(t),
        (row) => row.verified !== null || !isRequired(t, 'verified'),
      )
      expectPolicyRow(shown, networkOf(t))
      observed(t, 'verified', 'verified of a policy whose source compiles', shown.verified)
      for (const name of Object.keys(t.target.clients)) {
        const { verified } = expectFound(await askPolicy(t, addressOf(t, name)))
        t.observe(`${name}: ${verified}`)
      }
    },
  },
  {
    // 2.10-11: What is shown for a policy whose metadata is unavailable.
    id: 'explorer.policy.observed.no-metadata',
    title: 'observed: a policy whose metadata is unavailable',
    clauses: ['2.10-11'],
    level: 'may',
    needs: ownNeeds,
    run: async (t) => {
      const original = addressOf(t)
      const factory = await factoryOf(t, await shownPolicy(t, original))
      const transactor = await transactorOf(t)
      for (const metadataCid of ['', 'not a content id']) {
        const policy = await copyPolicy(t, transactor, original, factory, { metadataCid })
        const shown = await shownPolicy(t, policy)
        expectPolicyRow(shown, networkOf(t))
        for (const member of described)
          observed(
            t,
            'described-member',
            `${member} for the metadata '${metadataCid}'`,
            shown[member],
          )
      }
    },
  },
]
