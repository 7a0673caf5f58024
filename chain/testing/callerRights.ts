import { validateCalldata } from 'polgate-service/attestation/calldata.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import {
  deny,
  keyOf,
  startWorld,
  testKey,
  type World,
} from 'polgate-service/attestation/testing/world.ts'
import {
  type Abi,
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseEther,
  stringToHex,
  toHex,
  zeroHash,
} from 'viem'
import { devAccount } from '../accounts.ts'
import { abiOf, type ContractName } from '../artifact.ts'
import {
  confidentialDataRegistryAbi,
  identityRegistryAbi,
  sampleClientAbi,
} from '../artifacts/abis.ts'
import { registerProvider } from '../confidentialDataRegistry.ts'
import {
  deployDataRegistries,
  deployPolicy,
  deployPolicyClient,
  deploySampleToken,
} from '../deploy.ts'
import { identityDomainOf, identityLink, identityRegistration } from '../identityRegistry.ts'
import { registerOperator } from '../operators.ts'
import { postResponse, postTask } from '../tasks.ts'
import type { KnownValues } from './abiArguments.ts'
import { compileTestContracts } from './compileTestContracts.ts'
import { minedReceipt } from './minedReceipt.ts'
import { type NodeRequests, storageChanges, type TracedCall } from './storageChanges.ts'

/** A contract that intents go to. */
export type CallTarget = {
  readonly contract: string
  readonly address: Address
  readonly abi: Abi
}

/** A call that an intent of the attacker makes, from its client or through a contract that passes it on. */
export type IntentCall = {
  readonly to: Address
  readonly data: Hex
  readonly via: 'client' | 'relay'
}

export type ClientKind = 'sample' | 'withoutDomain' | 'guard'

const attacker = devAccount(5).address
const user = devAccount(6)
const stranger = devAccount(7).address
const expireAfter = 10_000
const domain = keccak256(toHex('domain'))
const another = keccak256(toHex('another domain'))
const dataType = 'blacklist'
const dataRefId = keccak256(domain)
const deadline = 1n << 40n

export const weaker = { policyParams: stringToHex('{"limit":1000000}'), expireAfter } as const

/**
 * A client that is everything an account can be for the contracts of the service: operator, provider,
 * owner of another client, owner and user of identities. It executes intents of an attacker, and its
 * policy allows all of them.
 */
export async function startCallerRights(kind: ClientKind) {
  const world = await startWorld({}, { stakes: [100n] })
  try {
    return { world, ...(await rightsOf(world, kind)), stop: () => world.stop() }
  } catch (error) {
    await world.stop()
    throw error
  }
}

async function rightsOf(world: World, kind: ClientKind) {
  const { transactor, protocol } = world
  const compiled = await compileTestContracts('CallerRights.sol')
  const create = async (name: string, args: readonly unknown[]) => {
    const code = encodeDeployData({ ...compiled(name), args })
    return (await transactor.create(code)).address
  }
  const content = { entrypoint: 'sample.allow', policyCid: 'bafypolicy' }
  const policy = await deployPolicy(transactor, protocol, content)
  const otherPolicy = await deployPolicy(transactor, protocol, content)
  const { identityRegistry, confidentialDataRegistry } = await deployDataRegistries(transactor, {
    gateway: transactor.account.address,
  })
  const deployClient = (owner: Address) =>
    deployPolicyClient(transactor, protocol, { kind: 'sample', policy, owner, expireAfter })
  const strict = { policyParams: stringToHex('{}'), expireAfter }
  const client =
    kind === 'guard'
      ? await create('SigningTreasury', [
          ...[transactor.account.address, protocol.taskManager, policy, strict],
        ])
      : await deployPolicyClient(transactor, protocol, { kind, policy, expireAfter })
  const [victim, owned] = [
    await deployClient(transactor.account.address),
    await deployClient(client),
  ]
  const token = await deploySampleToken(transactor)
  const vault = await deployPolicyClient(transactor, protocol, {
    ...{ kind: 'tokenVault', policy, token },
  })
  const relay = await create('Relay', [])
  await transactor.transfer(client, parseEther('1'))

  const asClient = async (to: Address, data: Hex) => {
    const { request } = transactor.client as unknown as NodeRequests
    await request({ method: 'anvil_impersonateAccount', params: [client] })
    const hash = await request({
      method: 'eth_sendTransaction',
      params: [{ from: client, to, data }],
    })
    const receipt = await minedReceipt(transactor.client, hash as Hex)
    if (receipt.status !== 'success') throw new Error('the client has no such right')
  }
  const asProvider = async (
    functionName: 'publish' | 'grant' | 'setSource',
    args: readonly unknown[],
  ) =>
    asClient(
      confidentialDataRegistry,
      encodeFunctionData({ abi: confidentialDataRegistryAbi, functionName, args } as never),
    )
  await registerProvider(transactor, confidentialDataRegistry, { provider: client, dataType })
  await asProvider('publish', [domain, dataRefId])
  await asProvider('grant', [victim, domain])
  await asProvider('setSource', [owned, dataType, client, domain])

  const { operatorRegistry } = protocol
  const key = testKey('the client')
  const { chainId } = transactor
  await registerOperator(transactor, operatorRegistry, {
    ...keyOf(key, { chainId, operatorRegistry, account: client }),
    ...{ account: client, stakes: { 2: 1n } },
  })

  // What others hold, and could be used by the client.
  const ofUser = { intent: { from: user.address } }
  const ofVictim = await attest(world, { policyClient: victim, ...ofUser })
  const unposted = await attest(world, { policyClient: client, ...ofUser })
  const posted = await attest(world, { policyClient: client, ...ofUser })
  await postTask(transactor, protocol.taskManager, posted.task)
  await postResponse(transactor, protocol.taskManager, posted)
  const evidence = await attest(world, {
    ...{ policyClient: client, ...ofUser, evaluationResult: deny },
    ...{ nonce: posted.task.nonce, referenceBlock: posted.task.taskCreatedBlock },
  })
  const setPolicyCall = encodeFunctionData({
    ...{ abi: abiOf('Policy'), functionName: 'setPolicy', args: [weaker] },
  })
  const nested = await Promise.all(
    [relay, client].map((from) =>
      attest(world, { policyClient: client, intent: { from, to: policy, data: setPolicyCall } }),
    ),
  )
  const typed = { domain: identityDomainOf(chainId, identityRegistry) }
  const registration = { identityOwner: client, identityDomain: domain, dataRefId, deadline }
  const gatewaySignature = await transactor.account.signTypedData({
    ...{ ...typed, ...identityRegistration, message: registration },
  })
  const link = {
    ...{ identityOwner: user.address, policyClient: client, clientUser: user.address },
    ...{ identityDomains: [domain], nonce: 0n, deadline },
  }
  const linkSignature = await user.signTypedData({ ...typed, ...identityLink, message: link })
  if (kind === 'guard') {
    const args = [client, client, client, [another], deadline, '0x', '0x'] as const
    const data = encodeFunctionData({
      ...{ abi: identityRegistryAbi, functionName: 'linkIdentity', args },
    })
    await asClient(identityRegistry, data)
  }

  const triples = [ofVictim, unposted, posted, ...nested].map(
    ({ task, response, signatureData }) => [task, response, signatureData] as const,
  )
  const challenge = [posted.task, evidence.response, evidence.signatureData]
  const ofClients = {
    setOwner: [[attacker]],
    transferOwnership: [[attacker]],
    setPolicy: [[policy, weaker]],
    setTargetAllowed: [[policy, true]],
    executeIntent: triples,
  }
  const ofPolicies = { setPolicy: [[weaker]] }
  /** By contract and function: arguments that have an effect for one of those who are here. */
  const effective: Readonly<Record<string, Readonly<Record<string, readonly Arguments[]>>>> = {
    TaskManager: {
      validateAttestationDirect: triples,
      challengeTask: [challenge],
      createNewTask: [[unposted.task]],
      respondToTask: triples,
      multicall: [[[validateCalldata(unposted)]]],
    },
    OperatorRegistry: {
      deregisterOperator: [[key.operatorId], [world.operators[0]!.key.operatorId]],
      updateStake: [[key.operatorId, 2, 5n]],
    },
    Policy: ofPolicies,
    'another Policy': ofPolicies,
    IdentityRegistry: {
      registerIdentityData: [[client, domain, dataRefId, gatewaySignature, deadline]],
      revokeLinks: [
        [client, client, [another]],
        [client, user.address, [domain]],
      ],
      linkIdentity: [
        [user.address, client, user.address, [domain], deadline, linkSignature, linkSignature],
      ],
    },
    ConfidentialDataRegistry: {
      publish: [[domain, dataRefId]],
      grant: [[victim, another]],
      revoke: [[victim, domain]],
      removeProvider: [[client]],
      setSource: [[owned, dataType, client, another]],
      removeSource: [[owned, dataType]],
    },
    'the client': ofClients,
    'another client': ofClients,
    'a client of the client': ofClients,
  }
  const targetOf = (
    contract: string,
    address: Address,
    abi = abiOf(contract as ContractName),
  ): CallTarget => ({ contract, address, abi })
  const targets = [
    targetOf('TaskManager', protocol.taskManager),
    targetOf('OperatorRegistry', operatorRegistry),
    targetOf('PolicyFactory', protocol.policyFactory),
    targetOf('Policy', policy),
    targetOf('another Policy', otherPolicy, abiOf('Policy')),
    targetOf('PolicyData', world.policyData),
    targetOf('IdentityRegistry', identityRegistry),
    targetOf('ConfidentialDataRegistry', confidentialDataRegistry),
    targetOf('the client', client, abiOf('SampleClient')),
    targetOf('another client', victim, abiOf('SampleClient')),
    targetOf('a client of the client', owned, abiOf('SampleClient')),
    targetOf('TokenVault', vault),
  ]
  const known: KnownValues = {
    addresses: [
      ...targets.map(({ address }) => address),
      ...[relay, attacker, user.address, stranger, transactor.account.address],
    ],
    words: [
      ...[zeroHash, domain, another, dataRefId, key.operatorId],
      ...triples.flatMap(([task, response]) => [task.taskId, response.policyId]),
    ],
    bytes: ['0x', '0x00', setPolicyCall, gatewaySignature, linkSignature, weaker.policyParams],
    texts: ['', dataType, dataRefId, '1.0.0'],
  }

  const changesOf = (call: TracedCall) => storageChanges(transactor.client, call)
  const contracts = targets.map(({ address }) => address.toLowerCase())
  const clients = [client, victim, owned, vault].map((address) => address.toLowerCase())

  /**
   * What an allowed intent changes in the contracts of the service that the same call of a stranger does
   * not, less that its attestation is spent; and whatever it changes in a client.
   */
  async function excessOf({ to, data, via }: IntentCall): Promise<readonly string[]> {
    const intent = via === 'client' ? { to, data } : { to: relay, data: concatHex([to, data]) }
    const attestation = await attest(world, {
      policyClient: client,
      intent: { from: attacker, ...intent },
    })
    const { task, response, signatureData } = attestation
    const execution = encodeFunctionData({
      ...{ abi: sampleClientAbi, functionName: 'executeIntent' },
      args: [task, response, signatureData],
    })
    const [made, spending, strangers] = await Promise.all([
      changesOf({ from: attacker, to: client, data: execution }),
      changesOf({ from: client, to: protocol.taskManager, data: validateCalldata(attestation) }),
      changesOf({ from: stranger, ...intent }),
    ])
    if (spending.size === 0) throw new Error('the attestation is not valid')
    return [...made].flatMap(([at, value]) => {
      const address = at.split(' ')[0]!
      if (!contracts.includes(address) || spending.has(at)) return []
      const ofEveryone = strangers.get(at) === value && !clients.includes(address)
      return ofEveryone ? [] : [`${targets[contracts.indexOf(address)]!.contract}: ${at}`]
    })
  }
  return { client, policy, targets, effective, known, excessOf, compiled, create }
}

type Arguments = readonly unknown[]
