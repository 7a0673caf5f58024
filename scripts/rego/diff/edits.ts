import type { Body, Literal, Module, Rule, Term } from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source, type Span } from 'polgate-rego/syntax/source.ts'
import { isVarying } from '../generate/builtinCalls.ts'
import type { DiffProgram } from './answers.ts'

/** A smaller text of a module: the part from `start` to `end` becomes `text`. */
type Edit = { readonly start: number; readonly end: number; readonly text: string }

const cut = (start: number, end: number): Edit => ({ start, end, text: '' })

/**
 * Programs smaller than a program by one step, the largest steps first: without a module, a rule, an
 * import, a document; then without a literal, or with a simpler term.
 */
export function* smaller(program: DiffProgram): Generator<DiffProgram> {
  yield* smallerByRules(program)
  yield* smallerDocuments(program)
  for (const [i, module] of program.modules.entries()) {
    const parsed = parse(module.source)
    if (parsed === undefined) continue
    for (const rule of parsed.rules) {
      for (const edit of ruleEdits(rule)) yield edited(program, i, edit)
    }
  }
}

/** Programs without a module, an import or some of the rules. */
export function* smallerByRules(program: DiffProgram): Generator<DiffProgram> {
  const { modules } = program
  for (const i of modules.keys()) {
    if (modules.length === 1) continue
    yield { ...program, modules: modules.filter((_, j) => j !== i) }
    const path = /^package (\S+)/m.exec(modules[i]!.source)?.[1]
    yield { ...program, modules: [modules[i]!], query: `data.${path}` }
  }
  for (const [i, { source }] of modules.entries()) {
    const parsed = parse(source)
    if (parsed === undefined) continue
    const parts = [...parsed.rules, ...parsed.imports].map(({ span }) => span)
    for (let size = parts.length >> 1; size >= 1; size >>= 1) {
      for (let at = 0; at < parts.length; at += size) {
        yield withoutParts(program, i, parts.slice(at, at + size))
      }
    }
  }
}

function withoutParts(program: DiffProgram, i: number, spans: readonly Span[]): DiffProgram {
  let text = program.modules[i]!.source
  for (const { start, end } of spans.toSorted((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + text.slice(end)
  }
  return withSource(program, i, `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`)
}

/** A program without the rules that another, smaller one has: what is left to compare. */
export function remainder(program: DiffProgram, part: DiffProgram): DiffProgram | undefined {
  const gone = new Set(part.modules.flatMap(({ source }) => ruleTexts(source)))
  let rest = program
  for (const [i, { source }] of program.modules.entries()) {
    const rules = parse(source)?.rules.filter(({ span }) => gone.has(span.text)) ?? []
    rest = withoutParts(
      rest,
      i,
      rules.map(({ span }) => span),
    )
  }
  return rest.modules.some(({ source }) => ruleTexts(source).length > 0) ? rest : undefined
}

const ruleTexts = (source: string): string[] =>
  parse(source)?.rules.map(({ span }) => span.text) ?? []

function* smallerDocuments(program: DiffProgram): Generator<DiffProgram> {
  for (const [i, { source }] of program.modules.entries()) {
    const bare = source.replace(/^#.*\n/gm, '')
    if (bare !== source) yield withSource(program, i, bare)
  }
  const { input, data, ...bare } = program
  if (input !== undefined) {
    yield { ...bare, ...(data === undefined ? {} : { data }) }
    if (input !== '{}') yield { ...program, input: '{}' }
  }
  if (data !== undefined) yield { ...bare, ...(input === undefined ? {} : { input }) }
  if (program.strict) yield { ...program, strict: false }
}

function* ruleEdits(rule: Rule): Generator<Edit> {
  const { head, body, elses, span } = rule
  const [first] = elses
  if (first !== undefined) yield cut(first.span.start, span.end)
  else if (body.length > 0) yield cut(head.span.end, span.end)
  yield* bodyEdits(body)
  for (const each of elses) {
    yield* bodyEdits(each.body)
    yield* termEdits(each.value)
  }
  for (const term of [head.member, head.value, ...(head.args ?? []), ...head.ref.path]) {
    // The value of a rule without one has no text.
    if (term !== undefined && term.span.end > term.span.start) yield* termEdits(term)
  }
}

function* bodyEdits(body: Body): Generator<Edit> {
  for (const [i, { span }] of body.entries()) {
    const before = body[i - 1]
    const after = body[i + 1]
    if (before !== undefined) yield cut(before.span.end, span.end)
    else if (after !== undefined) yield cut(span.start, after.span.start)
    else if (span.text !== 'true') yield { start: span.start, end: span.end, text: 'true' }
  }
  for (const literal of body) yield* literalEdits(literal)
}

function* literalEdits(literal: Literal): Generator<Edit> {
  const { span, withs } = literal
  for (const each of withs) yield cut(each.span.start, each.span.end)
  if (literal.negated)
    yield { start: span.start, end: span.end, text: span.text.replace(/^not\s+/, '') }
  switch (literal.kind) {
    case 'term':
      yield* termEdits(literal.term)
      break
    case 'someIn':
      if (literal.key !== undefined) yield cut(literal.key.span.start, literal.value.span.start)
      yield* termEdits(literal.domain)
      break
    case 'every':
      yield* termEdits(literal.domain)
      yield* bodyEdits(literal.body)
      break
    case 'some':
  }
  for (const each of withs) yield* termEdits(each.value)
}

const SIMPLE = [
  '0',
  '1',
  '"a"',
  '""',
  'true',
  'null',
  '[]',
  '{}',
  'set()',
  '[1]',
  '{"a": 1}',
  'input',
]

function* termEdits(term: Term): Generator<Edit> {
  const { start, end, text } = term.span
  const to = (other: string): Edit => ({ start, end, text: other })
  for (const part of partsOf(term)) {
    if (!isVarying(part.span.text)) yield to(part.span.text)
  }
  for (const simple of SIMPLE) {
    if (simple.length < text.length || SIMPLE.indexOf(text) > SIMPLE.indexOf(simple))
      yield to(simple)
  }
  if (term.kind === 'scalar' && typeof term.value === 'string') {
    const points = [...term.value]
    for (const i of points.keys()) yield to(JSON.stringify(points.toSpliced(i, 1).join('')))
  }
  if (term.kind === 'array' || term.kind === 'set')
    yield* itemEdits(term.items.map(({ span }) => span))
  if (term.kind === 'object') {
    yield* itemEdits(term.entries.map(([k, v]) => ({ start: k.span.start, end: v.span.end })))
  }
  if (term.kind === 'ref' && term.path.length > 1) {
    const last = term.path.at(-2)!.span.end
    yield to(text.slice(0, last - start).replace(/\[[^\]]*$/, (open) => `${open}]`))
  }
  for (const part of partsOf(term)) yield* termEdits(part)
  if ('body' in term) yield* bodyEdits(term.body)
}

type Place = { readonly start: number; readonly end: number }

function* itemEdits(items: readonly Place[]): Generator<Edit> {
  for (const [i, { start, end }] of items.entries()) {
    const before = items[i - 1]
    const after = items[i + 1]
    if (before !== undefined) yield cut(before.end, end)
    else if (after !== undefined) yield cut(start, after.start)
  }
}

function partsOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'ref':
      // `x.y` has no term `y` to be replaced.
      return term.path
        .filter(({ span }) => !/^\w+$/.test(span.text) || /^\d/.test(span.text))
        .concat(term.head.kind === 'var' ? [] : [term.head])
    case 'array':
    case 'set':
      return term.items
    case 'object':
      return term.entries.flat()
    case 'call':
      return term.args
    case 'arrayComprehension':
    case 'setComprehension':
      return [term.head]
    case 'objectComprehension':
      return [term.key, term.value]
    default:
      return []
  }
}

function edited(program: DiffProgram, i: number, { start, end, text }: Edit): DiffProgram {
  const { source } = program.modules[i]!
  return withSource(program, i, source.slice(0, start) + text + source.slice(end))
}

const withSource = (program: DiffProgram, i: number, source: string): DiffProgram => ({
  ...program,
  modules: program.modules.with(i, { ...program.modules[i]!, source }),
})

function parse(source: string): Module | undefined {
  try {
    return parseModule(new Source('module.rego', source))
  } catch {
    return undefined
  }
}
