import { contentDirectory } from 'polgate-local/chainImage.ts'
import { isOfStack } from 'polgate-service/snapshot/dataPlace.ts'
import type { PlaceOptions } from '../databasePlace.ts'
import { readConfig } from '../readConfig.ts'

/** The options that saving and loading share. */
export type SnapshotOptions = PlaceOptions & {
  readonly contentDir?: string
  /** `--without-chain`, `--without-content`. */
  readonly withoutChain?: boolean
  readonly withoutContent?: boolean
  readonly json?: boolean
}

/**
 * The content store that belongs to what the options name; undefined where none is wanted or known.
 *
 * @param ofStack whether the data directory is to be that of a local stack, whatever it is now
 */
export async function contentPlace(
  { config, dataDir, contentDir, withoutContent }: SnapshotOptions,
  ofStack: boolean,
): Promise<string | undefined> {
  if (withoutContent) return undefined
  if (contentDir !== undefined) return contentDir
  if (config !== undefined) {
    const { content } = (await readConfig(config, ['content'])) as {
      content?: { directory?: string }
    }
    return content?.directory
  }
  return dataDir !== undefined && (ofStack || isOfStack(dataDir)) ? contentDirectory : undefined
}
