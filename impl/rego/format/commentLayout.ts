import type { Comment, Import } from '../syntax/ast.ts'
import { Layout } from './layout.ts'
import type { Places } from './places.ts'

type Placed = { readonly text: string; readonly row: number }

/** Writes comments before or behind the nodes at whose rows they were. */
export class CommentLayout extends Layout {
  protected readonly places: Places
  private comments: Placed[]
  private next = 0
  /** The row of everything that is joined into one line. */
  private joined: number | undefined

  constructor(places: Places, comments: readonly Comment[]) {
    super()
    this.places = places
    this.comments = comments
      .filter(({ span }) => !places.isInTemplate(span.start))
      .map(({ text, span }) => ({ text: `#${text.trimEnd()}`, row: places.row(span.start) }))
  }

  protected row(offset: number): number {
    return this.joined ?? this.places.row(offset)
  }

  /** Writes nodes as if all of them were on one row. */
  protected joining(row: number, write: () => void): void {
    const outer = this.joined
    this.joined = row
    write()
    this.joined = outer
  }

  /** Whether a comment is above a row. */
  protected hasCommentAbove(row: number): boolean {
    const first = this.comments[this.next]
    return first !== undefined && first.row < row
  }

  /** Writes the comments above a row, and keeps the one on it for the end of the line. */
  protected commentsTo(row: number): void {
    let last: Placed | undefined
    for (;;) {
      const comment = this.comments[this.next]
      if (comment === undefined || comment.row > row) break
      this.next++
      if (comment.row === row) {
        this.releasePending()
        this.atLineEnd(comment.text)
        continue
      }
      if (last !== undefined && comment.row - last.row > 1) this.blankLine()
      this.line(comment.text)
      last = comment
    }
    if (last !== undefined && row - last.row > 1) this.blankLine()
  }

  /** Takes the comments on the rows of imports, which move with them. */
  protected takeBehind(imports: readonly Import[]): ReadonlyMap<Import, string> {
    const taken = new Map<Import, string>()
    const byRow = new Map<number, Import>()
    for (const each of imports) {
      const row = this.places.row(each.span.start)
      if (!byRow.has(row)) byRow.set(row, each)
    }
    this.comments = this.comments.filter(({ text, row }, i) => {
      const owner = i < this.next ? undefined : byRow.get(row)
      if (owner !== undefined) taken.set(owner, text)
      return owner === undefined
    })
    return taken
  }

  /** Writes the comments that no statement follows. */
  protected remainingComments(): void {
    for (; this.next < this.comments.length; this.next++) {
      this.line((this.comments[this.next] as Placed).text)
    }
  }
}
