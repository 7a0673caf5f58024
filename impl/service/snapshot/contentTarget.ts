import { parseContentId } from '../content/contentId.ts'
import { localBlocks } from '../content/localBlocks.ts'
import type { Part } from './readContainer.ts'
import { refuseOtherContent } from './verifySnapshot.ts'

/** Puts contents of a snapshot into a content store, whose own it leaves as they are. */
export function contentTarget(directory: string | undefined) {
  if (directory === undefined) return undefined
  const blocks = localBlocks(directory)
  return {
    /** @throws SnapshotError `damaged`; ContentError `storage` */
    async put({ name, bytes }: Part): Promise<void> {
      const cid = name.slice('content/'.length)
      refuseOtherContent(cid, bytes)
      const id = parseContentId(cid)
      // One that was altered on the disk is no reason to keep it.
      const there = await blocks.read(id, bytes.length).catch(() => undefined)
      if (there === undefined) await blocks.write(id, bytes, true)
    },
  }
}
