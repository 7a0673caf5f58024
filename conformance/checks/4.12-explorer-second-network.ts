import { deployPolicy } from 'polgate-chain/deploy.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import { expectEqual } from '../core/expect.ts'
import { expectPolicyRow, expectSummary, ms } from '../kit/assertions/explorerRows.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import {
  ask,
  askPolicy,
  expectDetail,
  expectFound,
  explorerTaskNeeds,
} from '../kit/scenarios/explorer.ts'
import { acceptedList, callAll, fetchPage } from '../kit/scenarios/explorerLists.ts'
import { until } from '../kit/scenarios/explorerShown.ts'
import { respondedTask } from '../kit/scenarios/explorerSubjects.ts'
import { otherNetworks } from '../targets/target.ts'

/** Section 4.12: a second chain behind the same explorer. */
const needs = [...explorerTaskNeeds, 'second-network'] as const

export const explorerSecondNetwork: readonly Check[] = [
  {
    // 4.12-02: The header X-Protocol-Network selects the network: testnet, base-sepolia, mainnet or
    //   base.
    // 2.9-02: network is the name of the selected network.
    // 2.10-02: network is the name of the selected network.
    // 4.12-18: A list of a policy holds exactly the tasks of that policy.
    id: 'explorer.second-network.own-rows',
    title: 'a second network shows its own tasks and policies, and none of the first',
    clauses: ['4.12-02', '2.9-02', '2.10-02', '4.12-18'],
    level: 'must',
    needs,
    run: async (t) => {
      await acceptedList(t)
      const { detail } = await respondedTask(t)
      for (const { name, network } of otherNetworks(t.target)) {
        const tasks = (await fetchPage(t, '/task', 1, 100, { network: name })).results
        for (const row of tasks) expectSummary(row, name)
        expectEqual(
          tasks.filter(({ id }) => id === detail.id),
          [],
          'tasks of the first network',
        )
        expectDetail(await ask(t, `/task/${detail.id}`, { network: name }), 404, 'Task not found.')
        const policies = (await fetchPage(t, '/policy', 1, 100, { network: name })).results
        for (const row of policies) expectPolicyRow(row, name)
        if (network.rpcUrl === undefined) continue
        const chain = createPublicClient({ transport: http(network.rpcUrl, { timeout: 10_000 }) })
        for (const row of policies.slice(0, 20)) {
          const hash = row.deployed_txn_hash as `0x${string}`
          const { blockNumber } = await chain.getTransactionReceipt({ hash })
          const { timestamp } = await chain.getBlock({ blockNumber })
          expectEqual(ms(row.policy_deployed_at), Number(timestamp) * 1000, 'policy_deployed_at')
        }
      }
    },
  },
  {
    // 4.12-02: The header X-Protocol-Network selects the network: testnet, base-sepolia, mainnet or
    //   base.
    // 4.12-20: A policy that was deployed appears in the list.
    // 4.12-22: An address without a policy on the network is 404.
    // 7.6-07: 404 "Policy Template not found." for a policy that is unknown on the network.
    id: 'explorer.second-network.new-policy',
    title: 'a policy that is deployed on the second network is shown there, and only there',
    clauses: ['4.12-02', '4.12-20', '4.12-22', '7.6-07'],
    level: 'must',
    needs: [...needs, 'owner'],
    run: async (t) => {
      await acceptedList(t)
      const known = otherNetworks(t.target).find(
        ({ network }) => network.rpcUrl !== undefined && network.policyFactory !== undefined,
      )
      const privateKey = t.target.accounts?.owner?.privateKey
      if (known === undefined || privateKey === undefined)
        throw new Untestable('the target declares no other network with a node and a factory')
      const { name, network } = known
      const transactor = await createTransactor({
        rpcUrl: network.rpcUrl!,
        account: privateKeyToAccount(privateKey),
      })
      const before = (await fetchPage(t, '/policy', 1, 1, { network: name })).total
      const deployment = { entrypoint: 'policy.allow', policyCid: '' }
      const factory = { policyFactory: network.policyFactory! }
      const address = await deployPolicy(transactor, factory, deployment)
      const answer = await until(
        t,
        'the policy on its network',
        () => askPolicy(t, address, { network: name }),
        ({ status }) => status !== 404,
      )
      const row = expectFound(answer)
      expectPolicyRow(row, name)
      expectHex(row.address, address, 'address')
      const after = (await fetchPage(t, '/policy', 1, 1, { network: name })).total
      expectEqual(after, before + 1, 'the total of the second network')
      const here = await callAll(t, '/policy')
      expectEqual(
        here.filter(({ deployed_txn_hash }) => deployed_txn_hash === row.deployed_txn_hash),
        [],
        'the same deployment on the first network',
      )
    },
  },
]
