import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningAnvil, startAnvil } from '../../chain/anvil.ts'
import { hasContents, storeContents } from '../../fixtures/contents.ts'
import type { ContentStore } from '../content/contentStore.ts'
import { type ChainImage, imageDirectory, readImage, writeImage } from './chainImage.ts'
import { type Deployment, deployFixtures, deployRegistries } from './deployFixtures.ts'

/** A kept chain goes before the cached image: its tasks are on it. */
export async function findImage(dataDir: string | undefined): Promise<ChainImage | undefined> {
  if (dataDir !== undefined && existsSync(join(dataDir, 'deployment.json'))) {
    const text = await readFile(join(dataDir, 'deployment.json'), 'utf8')
    return { stateFile: join(dataDir, 'chain.json'), deployment: JSON.parse(text) as Deployment }
  }
  return await readImage(imageDirectory())
}

/** Anvil on the image, or on the chain that the data directory keeps. */
export async function startChain(
  image: ChainImage | undefined,
  dataDir: string | undefined,
  port: number | undefined,
  other: { readonly chainId?: number; readonly file?: string } = {},
): Promise<RunningAnvil> {
  const { chainId, file = 'chain.json' } = other
  const at = { ...(port === undefined ? {} : { port }), ...(chainId && { chainId }) }
  if (dataDir === undefined) {
    return await startAnvil({ ...at, ...(image && { loadState: image.stateFile }) })
  }
  await mkdir(dataDir, { recursive: true })
  const statePath = join(dataDir, file)
  if (image && !existsSync(statePath)) await copyFile(image.stateFile, statePath)
  return await startAnvil({ ...at, statePath })
}

/** What stands on the chain; deployed, and kept as an image, where nothing does. */
export async function ensureDeployment(options: {
  image: ChainImage | undefined
  dataDir: string | undefined
  chain: RunningAnvil
  progress: (step: string) => void
  content: ContentStore
  contentDirectory: string
}): Promise<Deployment> {
  const { image, dataDir, chain, progress, content, contentDirectory } = options
  const complete = image !== undefined && hasContents(contentDirectory, image.deployment.contents)
  if (!complete) progress('storing policies and oracles')
  const contents = complete
    ? image.deployment.contents
    : await storeContents(content, ({ oracle, state }) => {
        if (state === 'building') progress(`building the oracle ${oracle} (once)`)
      })
  let deployment = image?.deployment
  if (deployment === undefined) {
    progress('deploying contracts')
    deployment = await deployFixtures({ rpcUrl: chain.url, contents })
    await writeImage(imageDirectory(), chain.url, deployment)
  }
  // A chain that was kept from before there were any.
  if (deployment.registries === undefined) {
    deployment = { ...deployment, registries: await deployRegistries(chain.url) }
  }
  if (dataDir !== undefined) {
    await writeFile(join(dataDir, 'deployment.json'), JSON.stringify(deployment))
  }
  return deployment
}
