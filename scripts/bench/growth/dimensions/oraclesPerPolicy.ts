import { devAccount } from 'polgate-chain/accounts.ts'
import { deployPolicy, deployPolicyClient, deployPolicyData } from 'polgate-chain/deploy.ts'
import { readClientContext } from 'polgate-chain/reads.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { load } from '../../service/load.ts'
import { createTaskBodies } from '../../service/requests.ts'
import type { Dimension, Point } from '../dimension.ts'

const fixture = 'echoed-approval'

export const oraclesPerPolicy: Dimension = {
  title: 'createTask by oracles of a policy, each without calls',
  async measure({ quick }) {
    const stack = await startLocalStack()
    const target = {
      url: stack.description.gatewayUrl,
      path: '/rpc',
      key: stack.description.apiKeys.rpc,
    }
    const points: Point[] = []
    try {
      for (const size of quick ? [1, 2] : [1, 2, 4, 8]) {
        const described = await withOracles(stack, size)
        const bodies = (count: number) => createTaskBodies(described, fixture, count, '{"n":1}')
        await load(target, bodies(quick ? 2 : 20), 2)
        const { p50, failures, firstFailure } = await load(target, bodies(quick ? 3 : 60), 1)
        if (failures > 0) throw new Error(`a task failed: ${firstFailure}`)
        points.push({ size, cost: p50 })
      }
    } finally {
      await stack.close()
    }
    return [{ what: 'a task, p50', unit: 'ms', points, bound: { exponent: 1.1 } }]
  },
}

/** A description of the stack in which the client of the fixture has so many oracles. */
async function withOracles({ description }: LocalStack, count: number) {
  const { chain, clients, networks } = description
  const owner = await createTransactor({ rpcUrl: chain.rpcUrl, account: devAccount(0) })
  const known = clients[fixture]!
  const { policyCid, entrypoint, policyConfig } = await readClientContext({
    client: owner.client,
    policyClient: known.policyClient,
  })
  const { policyFactory } = Object.values(networks!)[0]!
  const policyData: `0x${string}`[] = []
  for (let at = 0; at < count; at++)
    policyData.push(await deployPolicyData(owner, { wasmCid: known.policyData[0]!.wasmCid }))
  const policy = await deployPolicy(owner, { policyFactory }, { entrypoint, policyCid, policyData })
  const { policyParams } = policyConfig
  const policyClient = await deployPolicyClient(owner, chain, {
    kind: 'sample',
    policy,
    policyParams,
  })
  return { ...description, clients: { ...clients, [fixture]: { ...known, policyClient } } }
}
