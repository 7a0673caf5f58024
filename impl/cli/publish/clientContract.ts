import { bytecodeOf } from 'polgate-chain/artifact.ts'
import {
  sampleClientAbi,
  sampleClientWithoutDomainAbi,
  tokenVaultAbi,
} from 'polgate-chain/artifacts/abis.ts'
import {
  ClientError,
  type EncodedPolicyCall,
  encodePolicyCalls,
  type PolicyCall,
} from 'polgate-client/index.ts'
import { converted } from 'polgate-client/intents/encodeCall.ts'
import {
  type Abi,
  type AbiParameter,
  type Address,
  encodeDeployData,
  type Hex,
  isHex,
  stringToHex,
  zeroAddress,
} from 'viem'
import { CommandError } from '../commandDefinition.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { asCommandError } from '../task/callData.ts'
import { hashOf } from './publication.ts'
import { withSettings } from './withSettings.ts'

/** The contract of a policy client, with its constructor. */
export type ClientContract = {
  readonly abi: Abi
  readonly bytecode: Hex
  /** The constructor's arguments for a policy. */
  readonly args: (policy: Address) => readonly unknown[]
  /** As its constructor and `setPolicy` take it. */
  readonly config: { readonly policyParams: Hex; readonly expireAfter: number }
  /** How its owner gives it another policy; undefined if it has no function for that. */
  readonly setPolicy: ((policy: Address) => readonly EncodedPolicyCall[]) | undefined
  /** What is called once, after the deployment. */
  readonly initialize: ((policy: Address) => readonly EncodedPolicyCall[]) | undefined
  /** What gives it the first policy. */
  readonly firstPolicyBy: 'constructor' | 'initialize' | 'setPolicy'
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
/**
 * The client of a package. Arguments come from `policy.yaml`, else from what is known of the target.
 *
 * @throws CommandError for an artifact without abi and bytecode, and for missing or unknown arguments
 */
export function clientContract(
  given: PolicyPackage,
  world: {
    readonly owner: Address
    readonly taskManager: Address
    readonly token: Address | undefined
  },
): ClientContract {
  const { client, params, placeOf } = given
  const { abi, bytecode } = contractOf(client)
  const policyParams = params?.text ?? '{}'
  const config = { policyParams: stringToHex(policyParams), expireAfter: client.expireAfter }
  const inputs: readonly AbiParameter[] =
    abi.find((item) => item.type === 'constructor')?.inputs ?? []
  const own = client.constructorArguments
  const names = inputs.map((input, at) => plain(input.name ?? '') || `argument ${at + 1}`)
  for (const name of Object.keys(own)) {
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
  const { owner, taskManager } = world
  const settings = { policyParams, expireAfter: client.expireAfter, owner, taskManager }
  const argsWith = (
    policy: Address,
    changing: Pick<typeof settings, 'policyParams' | 'expireAfter'>,
  ) =>
    inputs.map((input, at) => {
      const name = names[at]!
      const found = Object.entries(own).find(([each]) => plain(each) === name)
      if (found !== undefined)
        return asCommandError('', () =>
          converted(
            input,
            withSettings(input, found[1], { ...settings, ...changing, policy }),
            name,
          ),
        )
      if (name === 'policy') return policy
      const value = known.includes(name) ? values[name] : undefined
      if (value !== undefined) return value
      throw new CommandError(
        `${placeOf('client')} the constructor's argument ${name} (${input.type}) is missing`,
        { hint: `Add it: client: { constructorArguments: { ${name}: ... } }.` },
      )
    })
  const args = (policy: Address) => argsWith(policy, settings)
  const fixed = argsWith(zeroAddress, { policyParams: '', expireAfter: 0 }).map((value) =>
    value === config ? '' : value,
  )
  const callsOf = (
    member: 'initialize' | 'setPolicy',
    calls: readonly PolicyCall[] | undefined,
  ) => {
    const encode = (policy: Address) => encodePolicyCalls(calls, { ...settings, policy }, abi)
    try {
      encode(zeroAddress)
    } catch (cause) {
      if (!(cause instanceof ClientError)) throw cause
      if (calls === undefined) return undefined
      throw new CommandError(
        [`${placeOf('client', member)} ${cause.shortMessage}`, cause.details ?? []]
          .flat()
          .join(' '),
        { hint: cause.hint ?? 'Compare it with the ABI of the artifact.', cause },
      )
    }
    return encode
  }
  const setPolicy = callsOf('setPolicy', client.setPolicy)
  const initialize =
    client.initialize === undefined ? undefined : callsOf('initialize', [client.initialize])
  const isIn = (data: string | undefined) => data?.includes(marker.slice(2)) === true
  const firstPolicyBy = isIn(encodeDeployData({ abi, bytecode, args: args(marker) }))
    ? 'constructor'
    : isIn(initialize?.(marker)[0]?.data)
      ? 'initialize'
      : 'setPolicy'
  if (firstPolicyBy === 'setPolicy' && setPolicy === undefined)
    throw new CommandError(
      `${placeOf('client')} neither constructor nor setPolicy(address,(bytes,uint32)) gives the client its policy`,
      {
        hint: 'Name the function that does: client: { setPolicy: "configurePolicy(address,(bytes,uint32))" }.',
      },
    )
  return {
    ...{ abi, bytecode, args, config, setPolicy, initialize, firstPolicyBy },
    code: hashOf(
      bytecode,
      JSON.stringify(fixed, (_, each) => (typeof each === 'bigint' ? `${each}` : each)),
    ),
  }
}

/** Stands for a policy, to see where it goes. */
const marker: Address = `0x${hashOf('policy').slice(0, 40)}`

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
