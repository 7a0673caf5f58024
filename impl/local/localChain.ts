import { existsSync } from 'node:fs'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { startAnvil } from 'polgate-chain/anvil.ts'
import { hasContents, storeContents } from 'polgate-fixtures/contents.ts'
import { besideOf } from 'polgate-lib/files/generations.ts'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { ContentStore } from 'polgate-service/content/contentStore.ts'
import { type ChainImage, imageDirectory, readImage, writeImage } from './chainImage.ts'
import { type Deployment, deployFixtures, deployRegistries } from './deployFixtures.ts'
import {
  ChainStateError,
  damaged,
  newestState,
  type PersistentChain,
  startPersistentChain,
} from './persistentChain/persistentChain.ts'

const chainFile = 'chain.json'
const deploymentFile = 'deployment.json'

/**
 * Selects the stored chain, which has tasks, over the cached image.
 *
 * @throws ChainStateError
 */
export async function findImage(dataDir: string | undefined): Promise<ChainImage | undefined> {
  if (dataDir === undefined) return await readImage(imageDirectory())
  const stateFile = join(dataDir, chainFile)
  const deployment = await readDeployment(dataDir)
  const hasNewest = existsSync(stateFile)
  const hasPrevious = existsSync(besideOf(stateFile, 'previous'))
  if (deployment !== undefined) {
    if (hasNewest || hasPrevious)
      return { stateFile, deployment, found: await newestState(stateFile) }
    throw damaged(stateFile, `${chainFile} is missing`)
  }
  if (hasPrevious) throw damaged(stateFile, `${deploymentFile} is missing`)
  // Stopped before it was first ready: it contains no user data.
  if (hasNewest) await rename(stateFile, besideOf(stateFile, 'damaged'))
  return await readImage(imageDirectory())
}

async function readDeployment(dataDir: string): Promise<Deployment | undefined> {
  const path = join(dataDir, deploymentFile)
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Deployment
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ChainStateError(
      `Cannot read ${path}: ${cause instanceof SyntaxError ? 'it is not JSON' : (cause as Error).message}`,
      `Load a snapshot with \`polgate snapshot load FILE --data-dir ${dataDir} --replace\`, or move the folder away to start with a new chain.`,
      cause,
    )
  }
}

export type StartChainOptions = {
  readonly image: ChainImage | undefined
  readonly dataDir: string | undefined
  readonly port: number | undefined
  readonly warn: (line: string) => void
  readonly chainId?: number
  readonly file?: string
}

/** Anvil on the image, or on the persistent chain of the data directory. */
export async function startChain(options: StartChainOptions): Promise<PersistentChain> {
  const { image, dataDir, port, warn, chainId, file = chainFile } = options
  const anvil = { ...(port === undefined ? {} : { port }), ...(chainId && { chainId }) }
  if (dataDir === undefined) {
    const chain = await startAnvil({ ...anvil, ...(image && { loadState: image.stateFile }) })
    return { ...chain, keep: async () => {} }
  }
  await mkdir(dataDir, { recursive: true })
  const found = file === chainFile ? image?.found : undefined
  return await startPersistentChain(
    { anvil, path: join(dataDir, file), warn, found },
    image?.stateFile,
  )
}

/** The deployment of the chain; deploys and stores an image if there is none. */
export async function ensureDeployment(options: {
  image: ChainImage | undefined
  dataDir: string | undefined
  chain: PersistentChain
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
        if (state === 'building') progress(`building oracle ${oracle} (first use only)`)
      })
  let deployment = image?.deployment
  if (deployment === undefined) {
    progress('deploying contracts')
    deployment = await deployFixtures({ rpcUrl: chain.url, contents })
    await writeImage(imageDirectory(), chain.url, deployment)
  }
  // A chain stored by a release without these registries.
  if (deployment.registries === undefined) {
    deployment = { ...deployment, registries: await deployRegistries(chain.url) }
  }
  // The chain first: a deployment without its chain would be an error on the next start.
  await chain.keep()
  if (dataDir !== undefined) {
    const path = join(dataDir, deploymentFile)
    // The image may be the cached one, whose deployment is not yet in the data directory.
    if (deployment !== image?.deployment || !existsSync(path))
      await replaceFile(path, JSON.stringify(deployment))
  }
  return deployment
}
