import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type HostNames, hasOwnNames } from 'polgate-fixtures/hostNames.ts'
import {
  type Found,
  findNewest,
  NoWholeGeneration,
  writeGeneration,
} from 'polgate-lib/files/generations.ts'
import { moveFile } from 'polgate-lib/files/moveFile.ts'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { userDirectories } from 'polgate-lib/files/userDirectories.ts'
import type { Deployment } from './deployFixtures.ts'
import { dumpState } from './persistentChain/dumpState.ts'

/** A chain with everything deployed, to start from. */
export type ChainImage = {
  readonly stateFile: string
  readonly deployment: Deployment
  /** The generation of a stored chain. */
  readonly found?: Found | undefined
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const cacheDirectory = userDirectories().cache
/** The content store shared by all local stacks. */
export const contentDirectory = join(userDirectories().data, 'content')
/** Transpiled components, shared by local stacks, their operators and the command line. */
export const transpiledDirectory = join(cacheDirectory, 'transpiled')

const buildFile = join(root, 'build-id')
/** Of an installed package: differs for every other content of it. A clone, which changes at any time, has none. */
export const buildId = existsSync(buildFile) ? readFileSync(buildFile, 'utf8') : undefined

/** Inputs of an image; a change of any of these files makes a new image. */
const ingredients = [
  'chain/artifacts',
  'chain',
  'fixtures',
  'impl/local',
  'impl/service/attestation',
]

let ownImage: string | undefined

/**
 * Directory of the image for the current contracts and fixtures. Computed once: this process deploys
 * those that it loaded.
 *
 * @param names in the contents; default: those of this repository
 */
export function imageDirectory(names?: HostNames): string {
  ownImage ??= directoryNow()
  if (names === undefined || hasOwnNames(names)) return ownImage
  const hash = createHash('sha256').update(`${names.witPackage} ${names.regoNamespace}`)
  return `${ownImage}-${hash.digest('hex').slice(0, 12)}`
}

function directoryNow(): string {
  const hash = createHash('sha256')
  if (buildId !== undefined) hash.update(buildId)
  else for (const place of ingredients) addFiles(hash, join(root, place))
  return join(cacheDirectory, 'local-stack', hash.digest('hex').slice(0, 24))
}

function addFiles(hash: ReturnType<typeof createHash>, directory: string): void {
  const deep = directory.endsWith('fixtures')
  const entries = readdirSync(directory, { withFileTypes: true, recursive: deep })
  const files = entries
    .filter(
      (entry) =>
        entry.isFile() && /(?<!\.test)\.(ts|json|rego|js|mjs|wasm|wat|wit)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file))
}

/** The image; undefined if there is none yet. A damaged one is removed: it is made again. */
export async function readImage(directory: string): Promise<ChainImage | undefined> {
  if (!existsSync(directory)) return undefined
  const stateFile = join(directory, 'state.json')
  try {
    const text = await readFile(join(directory, 'deployment.json'), 'utf8')
    if ((await findNewest(stateFile)) !== undefined)
      return { stateFile, deployment: JSON.parse(text) as Deployment }
  } catch (error) {
    // Another process may have removed it as one of the oldest.
    if (!isDamage(error)) throw error
  }
  await rm(directory, { recursive: true, force: true })
  return undefined
}

const isDamage = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  error instanceof NoWholeGeneration ||
  (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Stores a chain as an image, atomically; safe with several writers. */
export async function writeImage(
  directory: string,
  rpcUrl: string,
  deployment: Deployment,
): Promise<void> {
  const draft = `${directory}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(draft, { recursive: true })
    await writeGeneration(join(draft, 'state.json'), dumpState(rpcUrl), 0)
    await replaceFile(join(draft, 'deployment.json'), JSON.stringify(deployment, null, 2))
    await moveFile(draft, directory)
    await forgetOldImages(dirname(directory))
  } catch {
    // Another process was first, or the cache is not writable: the next start deploys again.
    await rm(draft, { recursive: true, force: true })
  }
}

const imagesKept = 5

/** Every change of a contract or a fixture makes a new image; removes the oldest ones. */
async function forgetOldImages(home: string): Promise<void> {
  const directories = (await readdir(home)).map((name) => join(home, name))
  const aged = await Promise.all(
    directories.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })),
  )
  const old = aged.sort((a, b) => b.at - a.at).slice(imagesKept)
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })))
}
