import { parseContentId } from '../content/contentId.ts'
import { localBlocks } from '../content/localBlocks.ts'
import type { Part } from './readContainer.ts'
import { refuseOtherContent } from './verifySnapshot.ts'

/** Stores contents of a snapshot in a content store, without changing existing ones. */
export function contentTarget(directory: string | undefined) {
  if (directory === undefined) return undefined
  const blocks = localBlocks(directory)
  return {
    /** @throws SnapshotError `damaged`; ContentError `storage` */
    async put({ name, bytes }: Part): Promise<void> {
      const cid = name.slice('content/'.length)
      refuseOtherContent(cid, bytes)
      const id = parseContentId(cid)
      // An altered existing block is replaced.
      const there = await blocks.read(id, bytes.length).catch(() => undefined)
      if (there === undefined) await blocks.write(id, bytes, true)
    },
  }
}
