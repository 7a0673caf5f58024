import { readFileSync } from 'node:fs'
import { type Address, encodeDeployData, type Hex } from 'viem'
import { policyAbi, policyDataAbi } from '../artifacts/abis.ts'
import type { PolicyDataDeployment } from '../deploy.ts'
import type { Transactor } from '../transactor.ts'

/** Contracts as of version 1.0.0, which are deployed and have to keep working. */
type EarlierContract = 'Policy' | 'PolicyData'

function bytecodeOf(contract: EarlierContract): Hex {
  const file = new URL(`./earlier/${contract}-1.0.0.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).bytecode
}

/** A Policy without a maximum of `expireAfter`. */
export async function deployEarlierPolicy(
  transactor: Transactor,
  policyData: readonly Address[] = [],
): Promise<Address> {
  const contents = { metadataCid: '', policyCid: 'bafypolicy', schemaCid: '', policyData }
  const owner = transactor.account.address
  const info = { owner, entrypoint: 'sample.allow', version: '1.0.0', ...contents }
  const bytecode = bytecodeOf('Policy')
  const { address } = await transactor.create(
    encodeDeployData({ abi: policyAbi, bytecode, args: [info] }),
  )
  return address
}

/** A PolicyData whose attesters sign the first form of the digest (decision C8). */
export async function deployEarlierPolicyData(
  transactor: Transactor,
  deployment: PolicyDataDeployment,
): Promise<Address> {
  const { wasmCid, secretsSchemaCid = '', expireAfter = 300, attesters = [] } = deployment
  const args = [wasmCid, secretsSchemaCid, expireAfter, attesters, '', '1.0.0'] as const
  const bytecode = bytecodeOf('PolicyData')
  const { address } = await transactor.create(
    encodeDeployData({ abi: policyDataAbi, bytecode, args }),
  )
  return address
}
