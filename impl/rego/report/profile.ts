import type { ResolvedRule } from '../compile/resolved.ts'
import type { Tracer } from '../evaluate/tracer.ts'
import type { Literal } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import { Nesting } from './nesting.ts'

/** Cost of one line. */
export type ProfileLine = {
  readonly file: string
  readonly row: number
  readonly text: string
  /** Milliseconds, without those of the rules that the line depends on. */
  readonly time: number
  /** How often the expressions of the line were evaluated, and how often they held. */
  readonly evaluations: number
  readonly passes: number
}

type Entry = { span: Span; time: number; evaluations: number; passes: number }

/**
 * Profiles the lines of a policy. Time is attributed to the innermost expression being evaluated;
 * profiling itself takes time, so the numbers are for comparing lines.
 */
export class Profile implements Tracer {
  private readonly clock: () => number
  private readonly entries = new Map<string, Entry>()
  private readonly stack: Entry[] = []
  private readonly nesting = new Nesting()
  /** The heads of rules, by the last literal of their body. */
  private readonly heads = new Map<Literal, Entry>()
  private mark = 0

  /** `clock` returns monotonic milliseconds. */
  constructor(clock: () => number) {
    this.clock = clock
  }

  enterRule(rule: ResolvedRule, index: number): void {
    this.nesting.enterRule()
    const branch = rule.branches[index]
    const entry = this.open(branch?.span ?? rule.span)
    const last = branch?.body.at(-1)
    // A one-line rule is counted by its expressions.
    if (last?.span.location.row === entry.span.location.row) return
    entry.evaluations++
    if (last === undefined) entry.passes++
    else this.heads.set(last, entry)
  }

  exitRule(): void {
    this.nesting.exitRule()
    this.close()
  }

  enter(literal: Literal): void {
    const inner = this.nesting.enter(literal)
    const entry = this.open(literal.span)
    if (!inner) entry.evaluations++
  }

  pass(literal: Literal): void {
    if (this.nesting.isInner) return
    this.entry(literal.span).passes++
    const head = this.heads.get(literal)
    if (head !== undefined) head.passes++
  }

  exit(): void {
    this.nesting.exit()
    this.close()
  }

  /** The lines that took the most time, sorted. */
  lines(): readonly ProfileLine[] {
    return [...this.entries.values()]
      .map(({ span, time, evaluations, passes }) => {
        const { file, row } = span.location
        return { file, row, text: span.source.line(row).trim(), time, evaluations, passes }
      })
      .sort((a, b) => b.time - a.time || a.row - b.row)
  }

  private entry(span: Span): Entry {
    const { file, row } = span.location
    const key = `${row}:${file}`
    let entry = this.entries.get(key)
    if (entry === undefined) {
      entry = { span, time: 0, evaluations: 0, passes: 0 }
      this.entries.set(key, entry)
    }
    return entry
  }

  private open(span: Span): Entry {
    this.charge()
    const entry = this.entry(span)
    this.stack.push(entry)
    return entry
  }

  private close(): void {
    this.charge()
    this.stack.pop()
  }

  private charge(): void {
    const now = this.clock()
    const current = this.stack.at(-1)
    if (current !== undefined) current.time += now - this.mark
    this.mark = now
  }
}
