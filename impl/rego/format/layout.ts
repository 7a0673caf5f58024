const INDENT = '\t'

/**
 * Text that is written line by line with indentation. A comment that was on the line of a node is kept
 * until the line ends.
 */
export class Layout {
  private readonly parts: string[] = []
  private level = 0
  /** Whether the current line was begun. */
  private inline = false
  /** Whether the current line has only its indentation. */
  private isFresh = false
  /** Comments for the end of the current line; more than one only where lines were joined. */
  private pending: string[] = []
  private delayed = false

  protected get hasPending(): boolean {
    return this.pending.length > 0
  }

  /** The text, with one line end at its end. */
  protected get text(): string {
    return `${this.parts.join('').replace(/\n+$/, '')}\n`
  }

  protected write(text: string): void {
    this.parts.push(text)
    this.isFresh = false
  }

  protected startLine(): void {
    this.inline = true
    this.parts.push(INDENT.repeat(this.level))
    this.isFresh = true
  }

  /** Begins a line unless one was begun. */
  protected resumeLine(): void {
    if (!this.inline) this.startLine()
  }

  protected indent(): void {
    this.write(INDENT)
  }

  protected endLine(): void {
    this.inline = false
    const last = this.parts.at(-1) ?? ''
    if (!this.isFresh) this.parts[this.parts.length - 1] = last.replace(/ +$/, '')
    const [first, ...others] = this.delayed ? [] : this.pending
    if (!this.delayed) this.pending = []
    this.delayed = false
    if (first !== undefined) this.write(this.isFresh ? first : ` ${first}`)
    this.write('\n')
    for (const each of others) this.write(`${INDENT.repeat(this.level)}${each}\n`)
  }

  protected blankLine(): void {
    if (this.inline) this.endLine()
    this.write('\n')
  }

  /** A line of its own, behind what was begun. Comments of that line stay on it. */
  protected line(text: string): void {
    if (this.inline && this.hasPending) this.endLine()
    this.resumeLine()
    this.write(text)
    this.endLine()
  }

  /** Writes a comment at the end of the current line. */
  protected atLineEnd(comment: string): void {
    this.pending.push(comment)
  }

  /** Makes a comment that was left to this line a line of its own before it. */
  protected releasePending(): void {
    if (!this.hasPending || !this.isFresh) return
    this.endLine()
    this.startLine()
  }

  /** The next line end leaves the comment to the line after it: the first item of a list. */
  protected delayPending(): void {
    this.delayed = true
  }

  protected up(): void {
    this.level++
  }

  protected down(): void {
    this.level--
  }
}
