import type { Location } from '../errors.ts'

/** A named Rego source text, which converts offsets to rows and columns. */
export class Source {
  readonly file: string
  readonly text: string
  private lines: readonly number[] | undefined

  constructor(file: string, text: string) {
    this.file = file
    this.text = text
  }

  /** 1-based row and column (in characters, as OPA counts) of an offset in UTF-16 units. */
  locate(offset: number): Location {
    const starts = this.lineStarts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    const line = this.text.slice(starts[low], offset)
    const astral = line.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0
    return { file: this.file, row: low + 1, col: line.length - astral + 1 }
  }

  /** The text of a row without its line end. */
  line(row: number): string {
    const starts = this.lineStarts()
    const start = starts[row - 1]
    if (start === undefined) return ''
    return this.text.slice(start, starts[row] ?? this.text.length + 1).replace(/\r?\n$/, '')
  }

  private lineStarts(): readonly number[] {
    if (this.lines === undefined) {
      const starts = [0]
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) {
        starts.push(at + 1)
      }
      this.lines = starts
    }
    return this.lines
  }
}

/** A range of a source: the location of a syntax tree node. */
export class Span {
  readonly source: Source
  readonly start: number
  readonly end: number

  constructor(source: Source, start: number, end: number) {
    this.source = source
    this.start = start
    this.end = end
  }

  get location(): Location {
    return this.source.locate(this.start)
  }

  get text(): string {
    return this.source.text.slice(this.start, this.end)
  }
}
