import { readFileSync } from 'node:fs'
import type { Hex } from 'viem'

/** The deployable contracts, each with an artifact of its creation code. */
export type ContractName =
  | 'ConfidentialDataRegistry'
  | 'ContextReader'
  | 'IdentityRegistry'
  | 'OperatorRegistry'
  | 'Policy'
  | 'PolicyData'
  | 'PolicyFactory'
  | 'SampleClient'
  | 'SampleClientWithoutDomain'
  | 'SampleToken'
  | 'TaskManager'
  | 'TokenVault'

const loaded = new Map<ContractName, Hex>()

/** The creation code of a contract, read once from chain/artifacts. */
export function bytecodeOf(contract: ContractName): Hex {
  const known = loaded.get(contract)
  if (known !== undefined) return known
  const file = new URL(`./artifacts/${contract}.json`, import.meta.url)
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex }
  loaded.set(contract, bytecode)
  return bytecode
}
