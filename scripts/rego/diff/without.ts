import { walkTerm } from 'polgate-rego/compile/visit.ts'
import type { Call, Rule, Term, With } from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source, type Span } from 'polgate-rego/syntax/source.ts'
import type { DiffProgram } from './answers.ts'

/** A part of a module, and what is written in its place. */
type Cut = { readonly span: Span; readonly text: string }

type Node = Readonly<Record<string, unknown>> & { readonly span?: Span }

/** The outermost parts of a syntax tree that are to be cut. */
function* cutsIn(node: unknown, cutsOf: (node: Node) => readonly Cut[]): Generator<Cut> {
  if (typeof node !== 'object' || node === null) return
  const cuts = cutsOf(node as Node)
  yield* cuts
  const isWithin = (part: unknown): boolean => cuts.some(({ span }) => isSpanOf(part, span))
  for (const [name, part] of Object.entries(node)) {
    if (name !== 'span' && !isWithin(part) && !isWithin(node)) yield* cutsIn(part, cutsOf)
  }
}

/** Whether a part of a tree is what a span is of, or a list that begins with it. */
function isSpanOf(part: unknown, span: Span): boolean {
  const first: unknown = Array.isArray(part) ? part[0] : part
  return typeof first === 'object' && first !== null && (first as Node).span === span
}

function without(
  program: DiffProgram,
  cutsOf: (node: Node) => readonly Cut[],
): DiffProgram | undefined {
  try {
    const modules = program.modules.map(({ name, source }) => {
      const { rules } = parseModule(new Source(name, source))
      const cuts = [...cutsIn(rules, cutsOf)].sort((a, b) => b.span.start - a.span.start)
      const text = cuts.reduce(
        (rest, { span, text }) => rest.slice(0, span.start) + text + rest.slice(span.end),
        source,
      )
      return { name, source: text }
    })
    return { ...program, modules }
  } catch {
    return undefined
  }
}

/** A program without its `with` modifiers; undefined if a module cannot be parsed. */
export const withoutWiths = (program: DiffProgram): DiffProgram | undefined =>
  without(program, ({ withs }) =>
    ((withs ?? []) as readonly { span: Span }[]).map(({ span }) => ({ span, text: '' })),
  )

/** A program without calls of `print`; undefined if a module cannot be parsed. */
export const withoutPrints = (program: DiffProgram): DiffProgram | undefined =>
  without(program, ({ kind, operator, span }) =>
    kind === 'call' && span !== undefined && /^(?:internal\.)?print$/.test(textOf(operator))
      ? [{ span, text: 'true' }]
      : [],
  )

const textOf = (node: unknown): string => (node as Node).span?.text ?? ''

/** A program in which every expression with `every` is `true`; undefined if a module cannot be parsed. */
export const withoutEvery = (program: DiffProgram): DiffProgram | undefined =>
  without(program, ({ kind, span }) =>
    kind === 'every' && span !== undefined ? [{ span, text: 'true' }] : [],
  )

/** A program in which every negated expression is `true`; undefined if a module cannot be parsed. */
export const withoutNegations = (program: DiffProgram): DiffProgram | undefined =>
  without(program, ({ negated, span }) =>
    negated === true && span !== undefined ? [{ span, text: 'true' }] : [],
  )

/** A program in which every collection of `some … in` is empty; undefined if a module cannot be parsed. */
export const withoutDomains = (program: DiffProgram): DiffProgram | undefined =>
  without(program, ({ kind, domain }) => {
    const span = (domain as Node | undefined)?.span
    return kind === 'someIn' && span !== undefined ? [{ span, text: '[]' }] : []
  })

/** A program in which each function of the policy is replaced by itself; undefined if a module cannot be parsed. */
export function withFunctionsThemselves(program: DiffProgram): DiffProgram | undefined {
  const isFunction = ({ head }: Rule): boolean => head.args !== undefined
  const names = namesOf(program, isFunction)
  const other = without(program, ({ withs }) =>
    ((withs ?? []) as readonly With[])
      .filter(({ target }) => names.has(lastName(target)))
      .map(({ target, value }) => ({ span: value.span, text: `${target.span.text}_itself` })),
  )
  return (
    other && {
      ...other,
      modules: other.modules.map((module) => ({
        ...module,
        source: [module.source, ...rulesIn(module).filter(isFunction).map(renamedRule)].join(
          '\n\n',
        ),
      })),
    }
  )
}

function renamedRule({ span, head }: Rule): string {
  const end = head.ref.head.span.end - span.start
  return `${span.text.slice(0, end)}_itself${span.text.slice(end)}`
}

/**
 * A program in which an expression has no value if a value of its `with` has a rule in it; undefined if a
 * module cannot be parsed.
 */
export function withoutRulesAsReplacements(program: DiffProgram): DiffProgram | undefined {
  const names = namesOf(program, ({ head }) => head.args === undefined)
  const hasRule = ({ value }: With): boolean => {
    let has = false
    walkTerm(value, (part) => {
      const isDocument = part.kind === 'ref' && part.span.text.startsWith('input.')
      if (part.kind === 'var' || part.kind === 'ref')
        has ||= !isDocument && names.has(lastName(part))
      return true
    })
    return has
  }
  return without(program, ({ withs, negated, span }) => {
    const found = ((withs ?? []) as readonly With[]).filter(hasRule)
    return found.length > 0 && negated === true && span !== undefined
      ? [{ span, text: 'true' }]
      : found.map(({ value }) => ({ span: value.span, text: 'data.undefined.value' }))
  })
}

const lastName = ({ span }: Term): string => /\w+$/.exec(span.text)?.[0] ?? ''

/** A program in which `in` is false where an operand is undefined; undefined if a module cannot be parsed. */
export const withTotalMembership = (program: DiffProgram): DiffProgram | undefined =>
  without(program, (node) =>
    isCallOf(node, 'internal.member_2') || isCallOf(node, 'internal.member_3')
      ? [{ span: node.span, text: `(count([1 | ${node.span.text}]) > 0)` }]
      : [],
  )

/** A program in which `k, v in c` holds where neither `c[k]` nor `v` is defined; undefined if a module cannot be parsed. */
export const withTotalKeyedMembership = (program: DiffProgram): DiffProgram | undefined =>
  without(program, (node) => {
    if (!isCallOf(node, 'internal.member_3')) return []
    const [key, value, collection] = node.args.map(({ span }) => span.text)
    // Sets of both in place of comparisons, which the type checker may refuse.
    const member = `[m | some k, m in ${collection}; count({k, ${key}}) == 1]`
    return [{ span: node.span, text: `(count({${member}, [m | m := ${value}]}) == 1)` }]
  })

function isCallOf(node: unknown, name: string): node is Call {
  const { kind, operator } = node as Partial<Call>
  return kind === 'call' && operator?.kind === 'var' && operator.name === name
}

/** The first names of the heads of rules. */
function namesOf({ modules }: DiffProgram, isWanted: (rule: Rule) => boolean): ReadonlySet<string> {
  const rules = modules.flatMap((module) => rulesIn(module)).filter(isWanted)
  return new Set(rules.map(({ head }) => head.ref.head.span.text))
}

function rulesIn({ name, source }: DiffProgram['modules'][number]): readonly Rule[] {
  try {
    return parseModule(new Source(name, source)).rules
  } catch {
    return []
  }
}
