import { LineCounter, type Node, parseDocument } from 'yaml'
import type { TextFile } from './policyPackage.ts'

/**
 * `file:line:column` of a member of a JSON file.
 *
 * @param pointer JSON Pointer; what it names may be absent, then the nearest member above counts
 */
export function jsonPlace({ path, text }: TextFile, pointer: string): string {
  const lines = new LineCounter()
  // A file of JSON is one of YAML, whose parser keeps the places.
  const document = parseDocument(text, { lineCounter: lines })
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const node = document.getIn(parts.slice(0, depth), true) as Node | undefined
    if (!node?.range) continue
    const { line, col } = lines.linePos(node.range[0])
    return `${path}:${line}:${col}`
  }
  return path
}
