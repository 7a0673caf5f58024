import { createHash } from 'node:crypto'

function hash(...parts: readonly (Uint8Array | string)[]): Buffer {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}

/** Prefixes of leaves and nodes: no node can be passed off as a leaf (RFC 9162). */
const leafMark = Buffer.from([0])
const nodeMark = Buffer.from([1])

/**
 * The root of a Merkle tree over lines (SHA-256, RFC 9162 section 2.1): changing, adding, omitting
 * or moving a line changes it. `0x` and 64 hex digits.
 */
export function merkleRoot(lines: readonly string[]): string {
  let level = lines.map((line) => hash(leafMark, line))
  if (level.length === 0) level = [hash()]
  while (level.length > 1) {
    const next: Buffer[] = []
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i]!, level[i + 1]]
      next.push(right === undefined ? left : hash(nodeMark, left, right))
    }
    level = next
  }
  return `0x${level[0]!.toString('hex')}`
}
