import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { devAccount } from 'polgate-chain/accounts.ts'
import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import { deployPolicy } from 'polgate-chain/deploy.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { policyFixture } from 'polgate-fixtures/catalogue.ts'
import { type ChainImage, imageDirectory, readImage } from './chainImage.ts'
import type { Deployment } from './deployFixtures.ts'
import { startChain } from './localChain.ts'

/** Chain id of the network `base-sepolia`. */
const chainId = 84_532
const file = 'base-sepolia.json'

/**
 * A second chain, for the explorer only (decision X7): the same contracts at the same addresses,
 * one additional policy, and no tasks.
 *
 * @param deployment of the first chain, of which an image exists
 */
export async function startSecondNetwork(options: {
  readonly image: ChainImage | undefined
  readonly dataDir: string | undefined
  readonly port: number | undefined
  readonly deployment: Deployment
  readonly warn: (line: string) => void
}): Promise<RunningAnvil> {
  const { dataDir, port, deployment, warn } = options
  // A persistent chain has tasks: the second one starts without.
  const image = (await readImage(imageDirectory(deployment.names))) ?? options.image
  const isNew = dataDir === undefined || !existsSync(join(dataDir, file))
  const chain = await startChain({ image, dataDir, port, warn, chainId, file })
  try {
    if (isNew) await deployOwnPolicy(chain.url, deployment)
    await chain.keep()
    return chain
  } catch (error) {
    await chain.stop()
    throw error
  }
}

/** Distinguishes the two chains. */
async function deployOwnPolicy(rpcUrl: string, { protocol, contents }: Deployment): Promise<void> {
  const { name, entrypoint } = policyFixture('allow-list')
  const cids = contents.policies[name]!
  await deployPolicy(await createTransactor({ rpcUrl, account: devAccount(0) }), protocol, {
    entrypoint,
    policyCid: cids.policy,
    schemaCid: cids.paramsSchema,
    metadataCid: cids.metadata,
    policyData: [],
  })
}
