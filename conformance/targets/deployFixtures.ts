import { randomBytes } from 'node:crypto'
import { deploySampleToken } from 'polgate-chain/deploy.ts'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import { type Places, policyFixtures } from 'polgate-fixtures/catalogue.ts'
import { clientVariants } from 'polgate-fixtures/clientVariants.ts'
import { type DeployedClient, deployClient } from 'polgate-fixtures/deployClient.ts'
import { clientSecrets, describeClient } from 'polgate-fixtures/describeClient.ts'
import { startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { counted } from 'polgate-lib/text/counted.ts'
import { formatEther, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CannotRun } from '../core/conformanceError.ts'
import { failureText } from '../core/failureText.ts'
import type { Target } from '../core/target.ts'
import {
  type DeploymentState,
  deploymentFile,
  readDeployment,
  writeDeployment,
} from './deploymentState.ts'
import { type LoadLocalServices, loadLocalServices } from './localServices.ts'
import { storeFixtureSecrets } from './storeSecrets.ts'
import type { PreparedTarget } from './target.ts'
import type { TargetFile } from './targetSchema.ts'

/** Whole coins, if the target file sets no budget. */
const usualBudget = '0.5'

/** A transactor that stops before it exceeds the budget. */
function thrifty(transactor: Transactor, budget: bigint) {
  const { client, account } = transactor
  let sent = 0
  let start: bigint | undefined
  const balance = () => client.getBalance({ address: account.address })
  const spent = async () => {
    start ??= await balance()
    const now = await balance()
    return start > now ? start - now : 0n
  }
  const allowed = async () => {
    const used = await spent()
    if (used >= budget)
      throw new CannotRun(
        `the deployment has cost ${formatEther(used)} of the ${formatEther(budget)} allowed`,
        'Finished deployments are kept. Raise chain.deployerBudget in the target file to continue.',
      )
    sent++
  }
  const careful: Transactor = {
    ...transactor,
    write: async (call) => allowed().then(() => transactor.write(call)),
    transfer: async (to, value) => allowed().then(() => transactor.transfer(to, value)),
    create: async (initCode) => allowed().then(() => transactor.create(initCode)),
  }
  return { careful, spent, sent: () => sent }
}

const stands = async ({ client }: Transactor, address: Hex | undefined) =>
  address !== undefined && ((await client.getCode({ address })) ?? '0x') !== '0x'

/** Serves contents and oracle data so that the gateway can reach them. */
async function startHost(
  file: TargetFile,
  known: string | undefined,
  ipfs: (request: Request) => Promise<Response>,
) {
  const place = file.fixtureHost
  if (place === undefined && known === undefined && !/\/\/(127\.|localhost)/.test(file.gatewayUrl!))
    throw new CannotRun(
      'deploying policies needs a host from which the gateway can read their contents',
      'Set fixtureHost: {url, port} in the target file: a public address, and the local port behind it.',
    )
  if (place === undefined && known !== undefined) return { url: known, close: async () => {} }
  const host = await startFixtureHost({
    ...(place === undefined ? {} : { port: place.port, host: place.host ?? '127.0.0.1' }),
    ipfs,
  })
  return { url: place?.url.replace(/\/$/, '') ?? host.url, close: () => host.stop() }
}

/**
 * Deploys the missing policy clients of the fixtures on the target's chain, with the funded key of
 * its file, uploads the secrets of their oracles, and serves their contents meanwhile.
 *
 * @throws CannotRun if the chain, the key or the budget does not allow it
 */
export async function deployForTarget(
  { target, close }: PreparedTarget,
  file: TargetFile,
  world: {
    readonly cwd: string
    readonly local?: LoadLocalServices | undefined
    /** Names of the clients that will be used; all of them by default. */
    readonly wanted?: ReadonlySet<string> | undefined
  },
  note: (text: string) => void,
): Promise<PreparedTarget> {
  const { deployer, policyFactory, deployerBudget = usualBudget } = file.chain!
  const { chain } = target
  if (target.limits?.readOnly) {
    note('a read-only run cannot deploy policy clients')
    return { target, close }
  }
  if (chain === undefined || policyFactory === undefined)
    throw new CannotRun(
      'a funded key needs chain.policyFactory: it deploys policies',
      'Set it in the target file.',
    )
  const transactor = await createTransactor({
    rpcUrl: chain.rpcUrl,
    account: privateKeyToAccount(deployer as Hex),
  }).catch((cause: Error) => {
    throw new CannotRun(failureText(cause), undefined, cause)
  })
  if (transactor.chainId !== chain.chainId)
    throw new CannotRun(`the node is on chain ${transactor.chainId}, not on ${chain.chainId}`)
  const { localContents } = await loadLocalServices(world.local)
  const { contents, ipfs } = await localContents(note, target.brand)
  const host = await startHost(file, target.fixtureHostUrl, ipfs)
  const closeAll = async () => {
    await host.close()
    await close()
  }
  try {
    const owner = transactor.account.address
    const stranger = target.accounts?.stranger?.address ?? freshAccount().address
    const known = target.accounts?.stranger?.address ?? 'nobody'
    const places: Places = { fixture_host: host.url }
    const path = deploymentFile(world.cwd, {
      chainId: chain.chainId,
      deployer: owner,
      taskManager: chain.taskManager,
      policyFactory,
      stranger: known,
      contents,
      places,
    })
    const before = readDeployment(path)
    const { careful, spent, sent } = thrifty(transactor, parseEther(deployerBudget))
    await spent()
    const wanted = (name: string) => world.wanted?.has(name) ?? true
    const clients: Record<string, DeployedClient> = {}
    // A later run may want them.
    const others = Object.fromEntries(
      Object.entries(before?.clients ?? {}).filter(([name]) => !wanted(name)),
    )
    let token = (await stands(transactor, before?.token)) ? before?.token : undefined
    const keep = async (): Promise<DeploymentState> => {
      const state: DeploymentState = {
        version: 1,
        chainId: chain.chainId,
        deployer: owner,
        ...(token === undefined ? {} : { token }),
        clients: { ...others, ...clients },
        transactions: (before?.transactions ?? 0) + sent(),
        spent: (BigInt(before?.spent ?? 0) + (await spent())).toString(),
      }
      writeDeployment(path, state)
      return state
    }
    for (const variant of clientVariants(policyFixtures(), stranger)) {
      if (!wanted(variant.name)) continue
      const old = before?.clients[variant.name]
      if (old !== undefined && (await stands(transactor, old.policyClient))) {
        clients[variant.name] = old
        continue
      }
      if (variant.fixture.client === 'token-vault') token ??= await deploySampleToken(careful)
      note(`deploying ${variant.name}`)
      clients[variant.name] = await deployClient({
        owner: careful,
        protocol: { taskManager: chain.taskManager, policyFactory },
        contents,
        variant,
        places: { ...places, ...(token === undefined ? {} : { token }) },
        attesters: [],
      })
      await keep()
    }
    const { transactions, spent: wei } = await keep()
    note(
      sent() === 0
        ? `${Object.keys(clients).length} policy clients already deployed (${path})`
        : `${counted(Object.keys(clients).length, 'policy client')} of ${owner}: ${counted(sent(), 'transaction')} now, ${transactions} in all, for ${formatEther(BigInt(wei))} (${path})`,
    )
    const deployed = {
      ...target,
      fixtureHostUrl: host.url,
      accounts: accountsOf(target, deployer as Hex),
      clients: {
        ...Object.fromEntries(
          Object.entries(clients).map(([name, client]) => [name, describeClient(client, contents)]),
        ),
        ...target.clients,
      } as Target['clients'],
    }
    const secrets = clientSecrets(deployed.clients, {
      ...places,
      ...(token === undefined ? {} : { token }),
    })
    await storeFixtureSecrets(deployed, secrets, note)
    return { target: deployed, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

function freshAccount() {
  const privateKey: Hex = `0x${randomBytes(32).toString('hex')}`
  return { address: privateKeyToAccount(privateKey).address, privateKey }
}

/** The deployer owns what it deployed; the signer of intents needs no funds. */
const accountsOf = (target: Target, deployer: Hex): Target['accounts'] => ({
  recipient: { address: freshAccount().address },
  sender: freshAccount(),
  ...target.accounts,
  owner: { address: privateKeyToAccount(deployer).address, privateKey: deployer },
})
