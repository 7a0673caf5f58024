import { devAccount } from 'polgate-chain/accounts.ts'
import { sampleTokenAbi, tokenVaultAbi } from 'polgate-chain/artifacts/abis.ts'
import { registerProvider } from 'polgate-chain/confidentialDataRegistry.ts'
import {
  type DataRegistries,
  deployDataRegistries,
  deployProtocol,
  deploySampleToken,
  type Protocol,
} from 'polgate-chain/deploy.ts'
import { possessionDigest, proveAggregateKey, registerOperator } from 'polgate-chain/operators.ts'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import { policyFixtures } from 'polgate-fixtures/catalogue.ts'
import { clientVariants } from 'polgate-fixtures/clientVariants.ts'
import type { Contents } from 'polgate-fixtures/contents.ts'
import { type DeployedClient, deployClient } from 'polgate-fixtures/deployClient.ts'
import type { HostNames } from 'polgate-fixtures/hostNames.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { blsKey } from 'polgate-service/attestation/bls.ts'
import { sumG2 } from 'polgate-service/attestation/sums.ts'
import { devAccounts, devOperators } from './devKeys.ts'

/** Everything deployed on a local chain. */
export type Deployment = {
  readonly protocol: Protocol
  readonly registries: DataRegistries
  readonly token: Address
  readonly operators: readonly { readonly address: Address; readonly id: Bytes32 }[]
  readonly clients: Readonly<Record<string, DeployedClient>>
  readonly contents: Contents
  /** Names in the contents, where they are not those of this repository. */
  readonly names?: HostNames | undefined
  /** Of a kept chain; default: 31337. */
  readonly chainId?: number | undefined
}

/** The fixture host URL in policy parameters until a stack updates it. */
export const usualFixtureHost = 'http://127.0.0.1:8604'

/** Deploys protocol, operators and all fixtures on an empty chain. */
export async function deployFixtures(options: {
  readonly rpcUrl: string
  readonly contents: Contents
}): Promise<Deployment> {
  const { rpcUrl, contents } = options
  const owner = await createTransactor({ rpcUrl, account: devAccount(0) })
  // Sequentially, so that addresses are the same on every machine.
  const protocol = await deployProtocol(owner, { aggregator: devAccounts.gateway.address })
  const token = await deploySampleToken(owner)
  const operators = await registerOperators(owner, protocol)
  const places = { fixture_host: usualFixtureHost, token }
  const clients: Record<string, DeployedClient> = {}
  const attesters = [devAccounts.gateway.address]
  for (const variant of clientVariants(policyFixtures(), devAccounts.stranger.address)) {
    const client = await deployClient({ owner, protocol, contents, variant, places, attesters })
    clients[variant.name] = client
    if (client.kind === 'tokenVault') await fund(rpcUrl, owner, token, client.policyClient)
  }
  const registries = await deployRegistries(rpcUrl)
  await proveAggregateKey(owner, protocol.operatorRegistry, {
    quorumNumber: 0,
    apkG2: sumG2(operatorKeys().map(({ key }) => ({ point: key.pubkeyG2, weight: 1 }))),
  })
  return { protocol, registries, token, operators, clients, contents }
}

/** Data type of the only provider. */
const providedDataType = 'sample-records'

/** The registries of sealed data, with the gateway's account and one provider. */
export async function deployRegistries(rpcUrl: string): Promise<DataRegistries> {
  const owner = await createTransactor({ rpcUrl, account: devAccount(0) })
  const gateway = devAccounts.gateway.address
  const registries = await deployDataRegistries(owner, { gateway })
  await registerProvider(owner, registries.confidentialDataRegistry, {
    provider: devAccounts.provider.address,
    dataType: providedDataType,
  })
  return registries
}

const operatorKeys = () =>
  devOperators.map(({ address, blsKey: secret, stake }) => ({
    address,
    stake,
    key: blsKey(Buffer.from(secret.slice(2), 'hex')),
  }))

async function registerOperators(owner: Transactor, { operatorRegistry }: Protocol) {
  const registered: { address: Address; id: Bytes32 }[] = []
  for (const { address: account, key, stake } of operatorKeys()) {
    const { chainId } = owner
    const { pubkeyG1, pubkeyG2, operatorId: id } = key
    const possession = key.sign(possessionDigest({ chainId, operatorRegistry, account }))
    const registration = { account, pubkeyG1, pubkeyG2, possession, stakes: { 0: stake } }
    await registerOperator(owner, operatorRegistry, registration)
    registered.push({ address: account, id })
  }
  return registered
}

/** Makes a deposit for the sender in a vault, so that an allowed withdrawal has funds. */
async function fund(rpcUrl: string, owner: Transactor, token: Address, vault: Address) {
  const amount = 1_000n * 10n ** 18n
  const abi = sampleTokenAbi
  const sender = await createTransactor({ rpcUrl, account: devAccount(1) })
  const to = devAccounts.sender.address
  await owner.write({ address: token, abi, functionName: 'transfer', args: [to, amount] })
  await sender.write({ address: token, abi, functionName: 'approve', args: [vault, amount] })
  await sender.write({
    address: vault,
    abi: tokenVaultAbi,
    functionName: 'deposit',
    args: [amount],
  })
}
