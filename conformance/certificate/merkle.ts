import { hash } from 'node:crypto'

/** Prefixes of leaves and nodes: no node can be passed off as a leaf (RFC 9162). */
const leafMark = '\0'
const nodeMark = Buffer.from([1])

/** In one call, which is several times as fast for short content. */
const sha256 = (content: string | Uint8Array): Buffer => hash('sha256', content, 'buffer')

/**
 * The root of a Merkle tree over lines (SHA-256, RFC 9162 section 2.1): changing, adding, omitting
 * or moving a line changes it. `0x` and 64 hex digits.
 */
export function merkleRoot(lines: readonly string[]): string {
  let level = lines.map((line) => sha256(leafMark + line))
  if (level.length === 0) level = [sha256('')]
  while (level.length > 1) {
    const next: Buffer[] = []
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i]!, level[i + 1]]
      next.push(right === undefined ? left : sha256(Buffer.concat([nodeMark, left, right])))
    }
    level = next
  }
  return `0x${level[0]!.toString('hex')}`
}
