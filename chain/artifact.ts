import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

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

/** What contracts derive from: an artifact without bytecode. */
export type BaseContractName =
  | 'IPolicy'
  | 'IPolicyClient'
  | 'IPolicyData'
  | 'ITaskManager'
  | 'IntentCaller'
  | 'PolicyClient'
  | 'PolicyGuard'

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

const loaded = new Map<string, Artifact>()

/** Where the artifacts are on this machine: `<Contract>.json` with `abi` and `bytecode`. */
export const artifactDirectory = fileURLToPath(new URL('./artifacts/', import.meta.url))

/** An artifact, read once. */
function artifactOf(contract: ContractName | BaseContractName): Artifact {
  const known = loaded.get(contract)
  if (known !== undefined) return known
  const file = new URL(`./artifacts/${contract}.json`, import.meta.url)
  const artifact = JSON.parse(readFileSync(file, 'utf8')) as Artifact
  loaded.set(contract, artifact)
  return artifact
}

/** The creation code of a contract. */
export const bytecodeOf = (contract: ContractName): Hex => artifactOf(contract).bytecode

/** The whole ABI of a contract or of what contracts derive from. */
export const abiOf = (contract: ContractName | BaseContractName): Abi => artifactOf(contract).abi
