import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAnvil } from 'polgate-chain/anvil.ts'
import { hasContents, storeContents } from 'polgate-fixtures/contents.ts'
import { type HostNames, hasOwnNames, ownHostNames } from 'polgate-fixtures/hostNames.ts'
import { besideOf } from 'polgate-lib/files/generations.ts'
import { moveFile } from 'polgate-lib/files/moveFile.ts'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { ContentStore } from 'polgate-service/content/contentStore.ts'
import { refuseHalfLoaded } from 'polgate-service/store/halfLoaded.ts'
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
 * @param names in the contents of the fixtures; default: those of this repository
 * @throws ChainStateError; StoreError where a snapshot was loaded in part
 */
export async function findImage(
  dataDir: string | undefined,
  names: HostNames = ownHostNames,
): Promise<ChainImage | undefined> {
  if (dataDir === undefined) return await readImage(imageDirectory(names))
  refuseHalfLoaded(join(dataDir, 'store'))
  const stateFile = join(dataDir, chainFile)
  const deployment = await readDeployment(dataDir)
  const hasNewest = existsSync(stateFile)
  const hasPrevious = existsSync(besideOf(stateFile, 'previous'))
  if (deployment !== undefined) {
    requireNames(deployment, names, dataDir)
    if (hasNewest || hasPrevious)
      return { stateFile, deployment, found: await newestState(stateFile) }
    throw damaged(stateFile, `${chainFile} is missing`)
  }
  if (hasPrevious) throw damaged(stateFile, `${deploymentFile} is missing`)
  // Stopped before it was first ready: it contains no user data.
  if (hasNewest) await moveFile(stateFile, besideOf(stateFile, 'damaged'))
  return await readImage(imageDirectory(names))
}

/**
 * The chain id of a stored chain: tasks, attestations and sealed data are for this one.
 *
 * @param wanted the option; default: that of the stored chain
 * @throws ChainStateError for another one
 */
export function chainIdFor(
  image: ChainImage | undefined,
  dataDir: string | undefined,
  wanted: number | undefined,
): number | undefined {
  // The image that stacks share has none.
  if (dataDir === undefined || image === undefined || image.found === undefined) return wanted
  const { chainId: stored = 31_337 } = image.deployment
  if (wanted === undefined || wanted === stored) return stored
  throw new ChainStateError(
    `The chain in ${dataDir} has the chain id ${stored}, not ${wanted}`,
    `Start with --chain-id ${stored} or without this option, or with another --data-dir.`,
  )
}

/** Policies and oracles on a stored chain call their service by the names of its first start. */
function requireNames(
  { names: stored = ownHostNames }: Deployment,
  { witPackage, regoNamespace }: HostNames,
  dataDir: string,
): void {
  if (stored.witPackage === witPackage && stored.regoNamespace === regoNamespace) return
  throw new ChainStateError(
    `The contracts in ${dataDir} are for the host interface ${stored.witPackage} and the Rego namespace ${stored.regoNamespace}, not for ${witPackage} and ${regoNamespace}`,
    `Start with --brand host-interface=${stored.witPackage},rego-namespace=${stored.regoNamespace}, or with another --data-dir.`,
  )
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
  /** The node of a chain to fork: without image and data directory. */
  readonly forkUrl?: string
  readonly file?: string
}

/** Anvil on the image, or on the persistent chain of the data directory. */
export async function startChain(options: StartChainOptions): Promise<PersistentChain> {
  const { image, dataDir, port, warn, chainId, forkUrl, file = chainFile } = options
  const anvil = {
    ...(port === undefined ? {} : { port }),
    ...(chainId && { chainId }),
    ...(forkUrl && { forkUrl }),
  }
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
  names: HostNames | undefined
  /** Whether the contracts may be kept as an image for other stacks. */
  keepImage: boolean
}): Promise<Deployment> {
  const { image, dataDir, chain, progress, content, contentDirectory } = options
  const { names = ownHostNames } = options
  const complete = image !== undefined && hasContents(contentDirectory, image.deployment.contents)
  if (!complete) progress('storing policies and oracles')
  const contents = complete
    ? image.deployment.contents
    : await storeContents(
        content,
        ({ oracle, state }) => {
          if (state === 'building') progress(`building oracle ${oracle} (first use only)`)
        },
        names,
      )
  let deployment = image?.deployment
  if (deployment === undefined) {
    progress('deploying contracts')
    const { witPackage, regoNamespace } = names
    deployment = {
      ...(await deployFixtures({ rpcUrl: chain.url, contents })),
      ...(hasOwnNames(names) ? {} : { names: { witPackage, regoNamespace } }),
    }
    if (options.keepImage) await writeImage(imageDirectory(names), chain.url, deployment)
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
      await replaceFile(path, JSON.stringify({ ...deployment, chainId: chain.chainId }))
  }
  return deployment
}
