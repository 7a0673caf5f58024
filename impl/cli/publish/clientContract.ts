import { bytecodeOf } from 'polgate-chain/artifact.ts'
import {
  sampleClientAbi,
  sampleClientWithoutDomainAbi,
  tokenVaultAbi,
} from 'polgate-chain/artifacts/abis.ts'
import { type Abi, type AbiParameter, type Address, type Hex, isHex, stringToHex } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { converted } from '../task/callData.ts'
import { hashOf } from './publication.ts'

/** The contract of a policy client, with its constructor. */
export type ClientContract = {
  readonly abi: Abi
  readonly bytecode: Hex
  /** The constructor's arguments for a policy. */
  readonly args: (policy: Address) => readonly unknown[]
  /** As its constructor and `setPolicy` take it. */
  readonly config: { readonly policyParams: Hex; readonly expireAfter: number }
  /** Whether its owner can give it another policy. */
  readonly canSetPolicy: boolean
  /** Hash of what only a new contract can change. */
  readonly code: string
}

const samples = {
  sample: { name: 'SampleClient', abi: sampleClientAbi },
  withoutDomain: { name: 'SampleClientWithoutDomain', abi: sampleClientWithoutDomainAbi },
  tokenVault: { name: 'TokenVault', abi: tokenVaultAbi },
} as const

/** Arguments of constructors that publishing knows, without leading or trailing underscores. */
const known = [
  'owner',
  'taskManager',
  'policy',
  'config',
  'policyConfig',
  'name',
  'version',
  'token',
]
const placeholder: Address = '0x0000000000000000000000000000000000000000'

/**
 * The client of a package. Arguments come from `policy.yaml`, else from what is known of the target.
 *
 * @throws CommandError for an artifact without abi and bytecode, and for missing or unknown arguments
 */
export function clientContract(
  { client, params, placeOf }: PolicyPackage,
  world: {
    readonly owner: Address
    readonly taskManager: Address
    readonly token: Address | undefined
  },
): ClientContract {
  const { abi, bytecode } = contractOf(client)
  const config = {
    policyParams: stringToHex(params?.text ?? '{}'),
    expireAfter: client.expireAfter,
  }
  const inputs: readonly AbiParameter[] =
    abi.find((item) => item.type === 'constructor')?.inputs ?? []
  const given = client.constructorArguments
  const names = inputs.map((input, at) => plain(input.name ?? '') || `argument ${at + 1}`)
  for (const name of Object.keys(given)) {
    if (names.includes(plain(name)) && !['policy', 'config', 'policyConfig'].includes(plain(name)))
      continue
    throw new CommandError(
      `${placeOf('client', 'constructorArguments', name)} ${name} is not an argument to set`,
      {
        hint: `The constructor takes ${names.join(', ')}; publish sets policy and its configuration.`,
      },
    )
  }
  const values: Readonly<Record<string, unknown>> = {
    ...{ owner: world.owner, taskManager: world.taskManager, token: world.token },
    ...{ config, policyConfig: config, name: 'PolicyClient', version: '1' },
  }
  const args = (policy: Address) =>
    inputs.map((input, at) => {
      const name = names[at]!
      const own = Object.entries(given).find(([each]) => plain(each) === name)
      if (own !== undefined) return converted(input, own[1], name)
      if (name === 'policy') return policy
      const value = known.includes(name) ? values[name] : undefined
      if (value !== undefined) return value
      throw new CommandError(
        `${placeOf('client')} the constructor's argument ${name} (${input.type}) is missing`,
        { hint: `Add it: client: { constructorArguments: { ${name}: ... } }.` },
      )
    })
  const fixed = args(placeholder).map((value) => (value === config ? '' : value))
  return {
    ...{ abi, bytecode, args, config },
    canSetPolicy: abi.some(
      (item) =>
        item.type === 'function' && item.name === 'setPolicy' && item.inputs[0]?.type === 'address',
    ),
    code: hashOf(
      bytecode,
      JSON.stringify(fixed, (_, each) => (typeof each === 'bigint' ? `${each}` : each)),
    ),
  }
}

const plain = (name: string): string => name.replaceAll(/^_+|_+$/g, '')

function contractOf({ contract }: PolicyPackage['client']): { abi: Abi; bytecode: Hex } {
  if (contract.kind !== 'artifact') {
    const { name, abi } = samples[contract.kind]
    return { abi, bytecode: bytecodeOf(name) }
  }
  const { path, text } = contract.artifact
  const { abi, bytecode } = JSON.parse(text) as { abi?: unknown; bytecode?: unknown }
  // Foundry writes an object, Hardhat a text.
  const code =
    typeof bytecode === 'object' && bytecode !== null && 'object' in bytecode
      ? bytecode.object
      : bytecode
  if (Array.isArray(abi) && isHex(code, { strict: true }) && code.length > 2)
    return { abi: abi as Abi, bytecode: code }
  throw new CommandError(`${path} is not the artifact of a contract`, {
    hint: 'It needs abi and linked bytecode, as forge build and hardhat compile write them.',
  })
}
