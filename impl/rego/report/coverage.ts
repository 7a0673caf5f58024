import type { ResolvedRule } from '../compile/resolved.ts'
import type { Tracer } from '../evaluate/tracer.ts'
import type { Literal, Module, Rule } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import { isOfTests, isTest } from '../test/discover.ts'
import { Nesting } from './nesting.ts'
import { reachedParts } from './parts.ts'
import { type Place, placeKey, placesOf } from './places.ts'

/** Rows of one file with a head or an expression, by whether all of them were reached. */
export type FileCoverage = {
  readonly file: string
  readonly covered: readonly number[]
  readonly notCovered: readonly number[]
  /** 0..100 */
  readonly percent: number
}

export type CoverageReport = {
  readonly files: readonly FileCoverage[]
  /** Over all files, 0..100. */
  readonly percent: number
}

/**
 * Collects coverage. An expression is covered if it was evaluated, whether it held or not; a head
 * if its body held.
 */
export class Coverage implements Tracer {
  private readonly reached = new Set<string>()
  /** Heads, by the last literal of their body. */
  private readonly heads = new Map<Literal, string>()
  private readonly nesting = new Nesting()

  enterRule(rule: ResolvedRule, index: number): void {
    this.nesting.enterRule()
    const branch = rule.branches[index]
    if (branch === undefined) return
    const key = placeKey('head', branch.span)
    const last = branch.body.at(-1)
    if (last === undefined) this.reached.add(key)
    else this.heads.set(last, key)
  }

  exitRule(): void {
    this.nesting.exitRule()
  }

  enter(literal: Literal): void {
    this.nesting.enter(literal)
    this.reached.add(placeKey('literal', literal.span))
  }

  pass(literal: Literal): void {
    if (this.nesting.isInner) return
    const head = this.heads.get(literal)
    if (head !== undefined) this.reached.add(head)
  }

  exit(): void {
    this.nesting.exit()
  }

  /** The report of modules; `keep` selects their rules. */
  report(modules: readonly Module[], keep = allRules): CoverageReport {
    return this.sum(modules.map((module) => this.file(module, keep)))
  }

  private sum(files: readonly FileCoverage[]): CoverageReport {
    const lines = files.filter(({ covered, notCovered }) => covered.length + notCovered.length > 0)
    const covered = lines.reduce((sum, file) => sum + file.covered.length, 0)
    const missed = lines.reduce((sum, file) => sum + file.notCovered.length, 0)
    return { files: lines, percent: percent(covered, missed) }
  }

  /** The report of policies: neither their tests nor what those use. */
  policyReport(modules: readonly Module[]): CoverageReport {
    return this.report(
      modules.filter((module) => !isOfTests(module)),
      (rule) => !isTest(rule),
    )
  }

  /** As OPA counts: of all modules, and a row if a part of it was reached. */
  wholeReport(modules: readonly Module[]): CoverageReport {
    const names = new Set(
      modules.flatMap(({ rules }) => rules.map(({ head }) => head.ref.span.text)),
    )
    return this.sum(modules.map((module) => this.wholeFile(module, names)))
  }

  private file(module: Module, keep: (rule: Rule) => boolean): FileCoverage {
    const rows = new Map<number, boolean>()
    for (const { kind, span } of placesOf(module, keep)) {
      const { row } = span.location
      rows.set(row, (rows.get(row) ?? true) && this.reached.has(placeKey(kind, span)))
    }
    return fileCoverage(module, rows)
  }

  private wholeFile(module: Module, names: ReadonlySet<string>): FileCoverage {
    const isReached = (kind: Place['kind'], span: Span): boolean =>
      this.reached.has(placeKey(kind, span))
    const rows = new Map<number, boolean>()
    for (const { kind, span } of placesOf(module, allRules)) {
      const { row } = span.location
      const isHere = isReached(kind, span)
      // A declaration counts only where it was reached.
      if (isHere || !/^some\b/.test(span.text)) rows.set(row, rows.get(row) === true || isHere)
    }
    for (const row of reachedParts(module, names, isReached)) rows.set(row, true)
    return fileCoverage(module, rows)
  }
}

function fileCoverage(module: Module, rows: ReadonlyMap<number, boolean>): FileCoverage {
  const of = (wanted: boolean): number[] =>
    [...rows]
      .filter(([, reached]) => reached === wanted)
      .map(([row]) => row)
      .sort((a, b) => a - b)
  const [covered, notCovered] = [of(true), of(false)]
  const { file } = module.package.span.source
  return { file, covered, notCovered, percent: percent(covered.length, notCovered.length) }
}

const allRules = (_: Rule): boolean => true

/** Percentage with two decimals, rounded down, so that 100 means all. */
function percent(covered: number, missed: number): number {
  const all = covered + missed
  return all === 0 ? 100 : Math.floor((covered * 10_000) / all) / 100
}

/** Rows as ranges: `3-5, 9`. */
export function rowRanges(rows: readonly number[]): string {
  const ranges: string[] = []
  for (let i = 0; i < rows.length; i++) {
    const first = rows[i] as number
    while (rows[i + 1] === (rows[i] as number) + 1) i++
    const last = rows[i] as number
    ranges.push(first === last ? String(first) : `${first}-${last}`)
  }
  return ranges.join(', ')
}
