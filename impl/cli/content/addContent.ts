import { createReadStream } from 'node:fs'
import { transpiledDirectory } from 'polgate-local/chainImage.ts'
import { defaultMaxBytes } from 'polgate-service/content/contentConfig.ts'
import { formatBytes } from 'polgate-service/content/contentError.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import {
  type FileLayout,
  fileBlocks,
  unixFsV0,
  unixFsV1,
} from 'polgate-service/content/fileLayout.ts'
import { looksLikeComponent, prepareComponent } from 'polgate-service/oracles/prepareComponent.ts'
import { CommandError } from '../commandDefinition.ts'
import { note } from '../policy/notes.ts'
import { asCommandError, type ContentOptions, directoryOf } from './contentLocation.ts'

export type AddOptions = ContentOptions & {
  readonly cidVersion: 0 | 1
  readonly chunker?: number
  readonly maxFileLinks?: number
  readonly rawLeaves?: boolean
  readonly onlyHash?: boolean
  readonly prepare?: boolean
}

/** `polgate content add`: prints one id, or one JSON object, per line. */
export async function addContent(files: readonly string[], options: AddOptions): Promise<void> {
  const directory = await directoryOf(options)
  const store = createContentStore({ directory })
  const layout = layoutOf(options)
  for (const file of files) {
    const bytes = await read(file)
    let blocks = 0
    let cid = ''
    for (const block of fileBlocks(bytes, layout)) {
      blocks += 1
      cid = String(block.cid)
    }
    if (!options.onlyHash) {
      await store.put(bytes, layout).catch((error) => {
        throw asCommandError(error, directory)
      })
    }
    const kept = options.onlyHash ? {} : { directory }
    const machine = { file, cid, bytes: bytes.length, blocks, ...layout, ...kept }
    console.log(options.json ? JSON.stringify(machine) : cid)
    if (!options.onlyHash && options.prepare !== false) await prepare(file, bytes)
  }
}

/** Precompiles a component into the cache of local stacks, so that its first task need not wait. */
async function prepare(file: string, bytes: Uint8Array): Promise<void> {
  if (!looksLikeComponent(bytes)) return
  const component = async () => bytes
  const problem = await prepareComponent({ component, cacheDir: transpiledDirectory })
  if (problem !== undefined) note(`${file} was stored but cannot be used as an oracle: ${problem}`)
}

function layoutOf({ cidVersion, chunker, maxFileLinks, rawLeaves }: AddOptions): FileLayout {
  const profile = cidVersion === 0 ? unixFsV0 : unixFsV1
  return {
    cidVersion,
    chunkBytes: chunker ?? profile.chunkBytes,
    maxLinks: maxFileLinks ?? profile.maxLinks,
    rawLeaves: rawLeaves ?? profile.rawLeaves,
  }
}

/** Reads a stream, so that the limit also holds for pipes and devices. */
async function read(file: string): Promise<Uint8Array> {
  const name = file === '-' ? 'standard input' : file
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of file === '-' ? process.stdin : createReadStream(file)) {
      size += piece.length
      if (size > defaultMaxBytes) {
        throw new CommandError(`${name} is larger than ${formatBytes(defaultMaxBytes)}`, {
          hint: 'The service refuses larger oracles, policies and schemas.',
        })
      }
      pieces.push(piece)
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') {
      throw new CommandError(`${name} is a directory`, { hint: 'Add its files one by one.' })
    }
    throw new CommandError(`Cannot read ${name}`, { hint: 'Check the path.', cause: error })
  }
  return Buffer.concat(pieces, size)
}
