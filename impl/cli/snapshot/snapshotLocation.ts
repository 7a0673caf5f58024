import { contentDirectory } from 'polgate-local/chainImage.ts'
import { isOfStack } from 'polgate-service/snapshot/dataLocation.ts'
import type { PlaceOptions } from '../databaseLocation.ts'
import { readConfig } from '../readConfig.ts'

/** Options shared by save and load. */
export type SnapshotOptions = PlaceOptions & {
  readonly contentDir?: string
  /** `--without-chain`, `--without-content`. */
  readonly withoutChain?: boolean
  readonly withoutContent?: boolean
  readonly json?: boolean
}

/**
 * The content store selected by the options; undefined if omitted or unknown.
 *
 * @param ofStack whether the data directory will be that of a local stack
 */
export async function contentLocation(
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
