import type { Comment, Module } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import { ruleOf } from './rules.ts'

/** `# lint:ignore id, id: reason` for a line, `# lint:ignore-file id: reason` for a file. */
const IGNORE = /^\s*lint:ignore(-file)?(?:\s+([\w-]+(?:\s*,\s*[\w-]+)*))?\s*(?::|$)/

type Ignore = { readonly id: string; readonly file: string; readonly row: number | undefined }

export type Ignores = {
  /** Whether a comment turns off a rule for what begins at a place. */
  readonly has: (id: string, span: Span) => boolean
  /** Comments that name no rule, or one that does not exist. */
  readonly faults: readonly { readonly span: Span; readonly message: string }[]
}

/** Reads the comments that turn off rules: above a line, at its end, or for a whole file. */
export function ignoresOf(modules: readonly Module[]): Ignores {
  const ignores: Ignore[] = []
  const faults: { span: Span; message: string }[] = []
  for (const { comments } of modules) {
    for (const comment of comments) {
      if (!/^\s*lint:/.test(comment.text)) continue
      const { span } = comment
      const match = IGNORE.exec(comment.text)
      const ids = match?.[2]?.split(/\s*,\s*/) ?? []
      if (ids.length === 0) {
        faults.push({ span, message: 'this comment of lint names no rule' })
      }
      for (const id of ids) {
        if (ruleOf(id) === undefined) {
          faults.push({ span, message: `this comment of lint names no rule: ${id.slice(0, 60)}` })
          continue
        }
        const row = match?.[1] === undefined ? rowOf(comment, comments) : undefined
        ignores.push({ id, file: span.source.file, row })
      }
    }
  }
  const has = (id: string, { source, start }: Span): boolean => {
    const { row } = source.locate(start)
    return ignores.some(
      (each) =>
        each.id === id && each.file === source.file && (each.row === undefined || each.row === row),
    )
  }
  return { has, faults }
}

/** The row that a comment is about: its own, or the first below the block of comments it is in. */
function rowOf(comment: Comment, comments: readonly Comment[]): number {
  const { source, start } = comment.span
  const { row, col } = source.locate(start)
  if (
    source
      .line(row)
      .slice(0, col - 1)
      .trim() !== ''
  )
    return row
  const rows = new Set(comments.map(({ span }) => span.location.row))
  let below = row + 1
  while (rows.has(below) && source.line(below).trimStart().startsWith('#')) below++
  return below
}
