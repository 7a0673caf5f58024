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

/** Of the network that the name `base-sepolia` stands for everywhere. */
const chainId = 84_532
const file = 'base-sepolia.json'

/**
 * A second chain, for the explorer alone (decision X7): the same contracts at the same addresses,
 * one policy more, and no task.
 *
 * @param deployment of the first chain, an image of which has been kept
 */
export async function startSecondNetwork(options: {
  readonly image: ChainImage | undefined
  readonly dataDir: string | undefined
  readonly port: number | undefined
  readonly deployment: Deployment
  readonly warn: (line: string) => void
}): Promise<RunningAnvil> {
  const { dataDir, port, deployment, warn } = options
  // A kept chain has its tasks: the second one begins without.
  const image = (await readImage(imageDirectory())) ?? options.image
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

/** What tells the two apart. */
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
