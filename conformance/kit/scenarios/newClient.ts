import { policyAbi, sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import { deployPolicyAlone, deployPolicyClient, deployPolicyData } from 'polgate-chain/deploy.ts'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { CheckContext } from '../../core/context.ts'
import { isReadOnly } from '../../targets/limits.ts'
import { lacking } from '../../targets/targetLine.ts'
import { fixture, policyOfClient } from './fixtures.ts'

/** What a check needs that deploys a new client. */
export const newClientNeeds = [
  'chain',
  'owner',
  'fixture-host',
  `client:${fixture.priced}`,
] as const

/** Whether the suite can deploy clients on the target's chain. */
export const canDeploy = ({ target }: CheckContext): boolean =>
  !target.limits?.readOnly &&
  target.accounts?.owner?.privateKey !== undefined &&
  target.chain !== undefined

/**
 * Sends transactions of one of the target's accounts, one instance per run: nonces are assigned in
 * order.
 */
export const transactorOf = (
  t: CheckContext,
  name: 'owner' | 'stranger' | 'sender' = 'owner',
): Promise<Transactor> =>
  t.once(`transactor of the ${name}`, async () => {
    if (t.target.limits?.readOnly) throw isReadOnly('sends a transaction')
    const privateKey = t.target.accounts?.[name]?.privateKey
    const rpcUrl = t.target.chain?.rpcUrl
    if (privateKey === undefined || rpcUrl === undefined)
      throw lacking(
        `the target has no ${name} account, or no RPC URL of its chain`,
        privateKey === undefined ? name : 'chain',
        t.target,
      )
    return createTransactor({ rpcUrl, account: privateKeyToAccount(privateKey) })
  })

/**
 * Deploys a policy client of the owner with the policy of a fixture, or another with the same
 * parameters. It has no stored secrets and is used by one check only, which may change it.
 */
export async function newClient(
  t: CheckContext,
  name: string = fixture.priced,
  more: { readonly policy?: Hex; readonly policyParams?: string } = {},
): Promise<Hex> {
  const taskManager = t.target.chain?.taskManager
  if (taskManager === undefined) throw lacking('the target has no task manager', 'chain', t.target)
  const { policyAddress, expireAfter, domain } = t.client(name)
  return deployPolicyClient(
    await transactorOf(t),
    { taskManager },
    {
      kind: 'sample',
      policy: policyAddress,
      policyParams: JSON.stringify(policyOfClient(t, name).params),
      ...more,
      expireAfter,
      domainName: domain.name,
      domainVersion: domain.version,
    },
  )
}

/** The members of a policy on chain, without its PolicyData. */
export async function contentOfPolicy(t: CheckContext, policy: Hex) {
  const read = (
    functionName: 'getEntrypoint' | 'getPolicyCid' | 'getSchemaCid' | 'getMetadataCid' | 'version',
  ) => t.chain().readContract({ address: policy, abi: policyAbi, functionName })
  const [entrypoint, policyCid, schemaCid, metadataCid, version] = await Promise.all([
    read('getEntrypoint'),
    read('getPolicyCid'),
    read('getSchemaCid'),
    read('getMetadataCid'),
    read('version'),
  ])
  return { entrypoint, policyCid, schemaCid, metadataCid, version }
}

/**
 * Deploys the policy of a fixture again, with these PolicyData: what a gateway does with others for a
 * client is open (clause 4.7-09).
 */
export const policyWith = async (
  t: CheckContext,
  policyData: readonly Hex[],
  name: string = fixture.priced,
): Promise<Hex> =>
  deployPolicyAlone(await transactorOf(t), {
    ...(await contentOfPolicy(t, t.client(name).policyAddress)),
    policyData,
  })

/** Deploys the oracle of a fixture's client again: the same component and schema, a new address. */
export async function redeployedPolicyData(
  t: CheckContext,
  secretsSchemaCid: string,
  name: string = fixture.priced,
): Promise<Hex> {
  const { wasmCid } = t.client(name).policyData[0]!
  return deployPolicyData(await transactorOf(t), { wasmCid, secretsSchemaCid })
}

/** Deploys a PolicyData for a component, given by its content id. */
export const policyDataWithComponent = async (t: CheckContext, wasmCid: string): Promise<Hex> =>
  deployPolicyData(await transactorOf(t), { wasmCid })

/** Transfers a client to another owner, as its current owner. */
export async function moveOwnership(
  t: CheckContext,
  policyClient: Hex,
  owner: Hex,
  by: 'setOwner' | 'transferOwnership',
  as: 'owner' | 'stranger' = 'owner',
): Promise<void> {
  const transactor = await transactorOf(t, as)
  await transactor.write({
    address: policyClient,
    abi: sampleClientAbi,
    functionName: by,
    args: [owner],
  })
}
