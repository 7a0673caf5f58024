import { pathText, type ResolvedRule } from '../compile/resolved.ts'
import { walkLiteral } from '../compile/visit.ts'
import type { Location } from '../errors.ts'
import type { Operand, Tracer } from '../evaluate/tracer.ts'
import type { Literal, Ref } from '../syntax/ast.ts'
import type { Value } from '../values/value.ts'

/** A failed expression, with the last values of its parts. */
export type Failure = {
  readonly text: string
  readonly location: Location
  /** How often it failed. */
  readonly count: number
  readonly values: readonly { readonly text: string; readonly value: Value | undefined }[]
  /** Rules that it depends on which have no value or are incomplete. */
  readonly because: readonly RuleExplanation[]
}

/** One definition of a rule, or one of its `else` branches. */
export type DefinitionExplanation = {
  readonly text: string
  readonly location: Location
  readonly held: boolean
  /** The expressions at which its evaluations failed, the furthest first. */
  readonly failures: readonly Failure[]
}

export type RuleExplanation = {
  /** `data.pkg.rule` */
  readonly name: string
  /** Whether the default was used. */
  readonly isDefault: boolean
  readonly definitions: readonly DefinitionExplanation[]
}

type Failed = { count: number; values: readonly Operand[] }
type BranchTrace = { held: boolean; readonly failed: Map<Literal, Failed> }
type RuleTrace = { readonly rule: ResolvedRule; readonly branches: BranchTrace[] }
type Frame =
  | { readonly kind: 'rule'; readonly branch: BranchTrace; readonly top: ReadonlySet<Literal> }
  | {
      readonly kind: 'literal'
      readonly literal: Literal
      passed: boolean
      values: readonly Operand[] | undefined
    }

/** Maximum depth of explained rules; the next one can be explained separately. */
const MAX_DEPTH = 6

/** Records failed expressions, and explains the value of a rule. */
export class Explainer implements Tracer {
  private readonly rules = new Map<ResolvedRule, RuleTrace>()
  private readonly stack: Frame[] = []

  enterRule(rule: ResolvedRule, index: number): void {
    const body = rule.branches[index]?.body ?? []
    let trace = this.rules.get(rule)
    if (trace === undefined) {
      trace = { rule, branches: rule.branches.map(() => ({ held: false, failed: new Map() })) }
      this.rules.set(rule, trace)
    }
    const branch = trace.branches[index] ?? { held: false, failed: new Map() }
    if (body.length === 0) branch.held = true
    this.stack.push({ kind: 'rule', branch, top: new Set(body) })
  }

  exitRule(): void {
    let frame = this.stack.pop()
    // An aborted evaluation leaves literals on the stack.
    while (frame !== undefined && frame.kind !== 'rule') frame = this.stack.pop()
  }

  enter(literal: Literal): void {
    this.stack.push({ kind: 'literal', literal, passed: false, values: undefined })
  }

  pass(literal: Literal): void {
    const frame = this.stack.at(-1)
    if (frame?.kind !== 'literal' || frame.literal !== literal) return
    frame.passed = true
    const rule = this.ruleFrame()
    if (rule !== undefined && last(rule.top) === literal && !this.isInner(literal)) {
      rule.branch.held = true
    }
  }

  exit(literal: Literal, operands: () => readonly Operand[]): void {
    const frame = this.stack.at(-1)
    if (frame?.kind !== 'literal' || frame.literal !== literal) return
    const inner = this.isInner(literal)
    this.stack.pop()
    if (inner) {
      // The expression inside `not` or `with`: its parts explain the enclosing literal.
      const outer = this.stack.at(-1)
      if (outer?.kind === 'literal') outer.values = frame.values ?? operands()
      return
    }
    if (frame.passed) return
    const rule = this.ruleFrame()
    if (rule === undefined || !rule.top.has(literal)) return
    const failed = rule.branch.failed.get(literal) ?? { count: 0, values: [] }
    failed.count++
    failed.values = frame.values ?? operands()
    rule.branch.failed.set(literal, failed)
  }

  /** The evaluated rules at a path and below it, in the order of their text. */
  explain(name: string): readonly RuleExplanation[] {
    return this.about(name, 0, new Set())
  }

  private about(name: string, depth: number, seen: Set<string>): readonly RuleExplanation[] {
    const groups = new Map<string, RuleTrace[]>()
    for (const trace of this.rules.values()) {
      const path = pathText(trace.rule.path)
      if (!leadsTo(name, path) && !leadsTo(path, name)) continue
      groups.set(path, [...(groups.get(path) ?? []), trace])
    }
    return [...groups].flatMap(([path, traces]) => {
      if (seen.has(path) || depth > MAX_DEPTH) return []
      seen.add(path)
      const written = traces.filter(({ rule }) => !rule.isDefault).sort(byPlace)
      return [
        {
          name: path,
          isDefault: written.length < traces.length,
          definitions: written.flatMap((trace) => this.definitions(trace, depth, seen)),
        },
      ]
    })
  }

  private definitions(
    { rule, branches }: RuleTrace,
    depth: number,
    seen: Set<string>,
  ): DefinitionExplanation[] {
    return rule.branches.map(({ span, body }, i) => {
      const { held, failed } = branches[i] as BranchTrace
      const failures = [...failed]
        .sort(([a], [b]) => body.indexOf(b) - body.indexOf(a))
        .map(([literal, of]) => this.failure(literal, of, depth, seen))
      const { location } = span
      return { text: span.source.line(location.row).trim(), location, held, failures }
    })
  }

  private failure(literal: Literal, failed: Failed, depth: number, seen: Set<string>): Failure {
    const { span } = literal
    return {
      text: span.text,
      location: span.location,
      count: failed.count,
      values: failed.values.map(({ term, value }) => ({ text: term.span.text, value })),
      because: refsIn(literal).flatMap((name) => this.about(name, depth + 1, seen)),
    }
  }

  private ruleFrame(): Extract<Frame, { kind: 'rule' }> | undefined {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const frame = this.stack[i]
      if (frame?.kind === 'rule') return frame
    }
    return undefined
  }

  /** The literal is traced a second time inside its `not` or `with`. */
  private isInner(literal: Literal): boolean {
    const outer = this.stack.at(-2)
    return outer?.kind === 'literal' && outer.literal === literal
  }
}

/** Whether `path` is `name`, or below it. */
const leadsTo = (name: string, path: string): boolean =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`)

const last = (literals: ReadonlySet<Literal>): Literal | undefined => [...literals].at(-1)

function byPlace(a: RuleTrace, b: RuleTrace): number {
  const [x, y] = [a.rule.span, b.rule.span]
  return x.source.file < y.source.file ? -1 : x.source.file > y.source.file ? 1 : x.start - y.start
}

/** The documents below `data` that a literal depends on. */
function refsIn(literal: Literal): readonly string[] {
  const names = new Set<string>()
  walkLiteral(literal, (term) => {
    if (term.kind === 'ref') names.add(refName(term))
    if (term.kind === 'call' && term.operator.kind === 'ref') names.add(refName(term.operator))
    return true
  })
  names.delete('')
  return [...names]
}

function refName({ head, path }: Ref): string {
  if (head.kind !== 'var' || head.name !== 'data') return ''
  const end = path.findIndex((part) => part.kind !== 'scalar')
  const fixed = end < 0 ? path : path.slice(0, end)
  return pathText(fixed.map((part) => (part.kind === 'scalar' ? (part.value as string) : '')))
}
