import type { AnnotationBlock, Comment, Import, Package, Rule } from './ast.ts'
import { Span } from './source.ts'

/**
 * The `# METADATA` blocks among the comments: each includes the directly following comment lines,
 * and belongs to the statement after it. Their YAML is not parsed here.
 */
export function findAnnotations(
  comments: readonly Comment[],
  statements: readonly (Package | Import | Rule)[],
): readonly AnnotationBlock[] {
  if (!comments.some(isStart)) return []
  const ordered = [...statements].sort((a, b) => a.span.start - b.span.start)
  const blocks: AnnotationBlock[] = []
  for (let i = 0; i < comments.length; i++) {
    const first = comments[i] as Comment
    if (!isStart(first)) continue
    const lines: string[] = []
    let last = first
    for (let next = comments[i + 1]; next !== undefined; next = comments[i + 1]) {
      const { row, col } = next.span.location
      // A comment behind a statement is not part of the block above it.
      if (row !== rowOf(last) + 1 || col !== 1) break
      lines.push(next.text)
      last = next
      i++
    }
    const end = last.span.end
    const target = ordered.find((statement) => statement.span.start >= end)
    const span = new Span(first.span.source, first.span.start, end)
    blocks.push({ yaml: unindented(lines), target, span })
  }
  return blocks
}

/** As in OPA, anything may follow the word. Within a block it begins no other. */
const isStart = (comment: Comment): boolean => comment.text.trim().startsWith('METADATA')

const rowOf = (comment: Comment): number => comment.span.location.row

/** Removes the space that most authors write after `#`, which would be YAML indentation. */
const unindented = (lines: readonly string[]): string =>
  lines.map((line) => (line.startsWith(' ') ? line.slice(1) : line)).join('\n')
