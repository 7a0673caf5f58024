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
