import { walkTerm } from 'polgate-rego/compile/visit.ts'
import type { Body, Rule, Term } from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source, type Span } from 'polgate-rego/syntax/source.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'
import { isArray, isObject, type Value } from 'polgate-rego/values/value.ts'
import type { DiffProgram } from './answers.ts'

/** Programs that say in the words of the language what a peer does: if they answer as the peer, that is the cause. */

type Edit = { readonly start: number; readonly end: number; readonly text: string }

function edited(program: DiffProgram, editsOf: (rule: Rule, source: string) => readonly Edit[]) {
  const modules = program.modules.map(({ name, source }) => {
    const { rules } = parseModule(new Source(name, source))
    const edits = rules.flatMap((rule) => editsOf(rule, source)).sort((a, b) => b.start - a.start)
    const text = edits.reduce(
      (rest, each) => rest.slice(0, each.start) + each.text + rest.slice(each.end),
      source,
    )
    return { name, source: text }
  })
  return { ...program, modules }
}

/** Puts a statement before the others of a body; `end`: where a body would begin, if there is none. */
function before(source: string, body: Body, end: number, statement: string): Edit {
  const [first] = body
  if (first === undefined) return { start: end, end, text: ` if { ${statement} }` }
  const { start } = first.span
  if (!isBare(source, body)) return { start, end: start, text: `${statement}; ` }
  return { start, end: first.span.end, text: `{ ${statement}; ${first.span.text} }` }
}

/** Whether a body is one statement without braces around it. */
export const isBare = (source: string, [first]: Body): boolean =>
  first !== undefined && /\bif\s*$/.test(source.slice(0, first.span.start))

const bodiesOf = ({ head, body, elses }: Rule) => [
  { body, value: head.value, span: head.span },
  ...elses,
]

/**
 * A program whose rules do not hold where they name a document that is undefined: the index of OPA leaves such rules
 * out before it evaluates them.
 */
export function withoutUndefinedDocuments(program: DiffProgram): DiffProgram {
  const documents = { input: documentOf(program.input), data: documentOf(program.data) }
  const packages = new Set<Value>(
    program.modules.map(({ source }) => /^package (\w+)/.exec(source)?.[1] ?? ''),
  )
  const isMissing = (term: Term): boolean => {
    if (term.kind !== 'ref' || term.head.kind !== 'var') return false
    const { name } = term.head
    if (name !== 'input' && name !== 'data') return false
    // A rule is no document that the index looks at.
    const [first] = term.path
    if (name === 'data' && first?.kind === 'scalar' && packages.has(first.value)) return false
    return isUndefined(documents[name], term.path)
  }
  return edited(program, (rule, source) =>
    bodiesOf(rule).flatMap(({ body, value, span }) => {
      const terms = body.flatMap((each) =>
        each.kind === 'term' && !each.negated ? [each.term] : [],
      )
      if (value !== undefined) terms.push(value)
      const isLeftOut = terms.some((term) => named(term).some(isMissing))
      return isLeftOut && body.length > 0 ? [before(source, body, span.end, 'false')] : []
    }),
  )
}

const documentOf = (json: string | undefined): Value | undefined =>
  json === undefined ? undefined : parseJson(json)

/** The parts of a term that are evaluated with it: not those in bodies of their own. */
function named(term: Term): Term[] {
  const found: Term[] = []
  walkTerm(term, (part) => {
    found.push(part)
    return !('body' in part)
  })
  return found
}

function isUndefined(whole: Value | undefined, path: readonly Term[]): boolean {
  let value = whole
  for (const part of path) {
    if (value === undefined) return true
    if (part.kind !== 'scalar') return false
    value = memberOf(value, part.value)
  }
  return value === undefined
}

function memberOf(value: Value, key: Value): Value | undefined {
  if (isObject(value)) return value.get(key)
  return isArray(value) && typeof key === 'number' ? value[key] : undefined
}

/** A program in which objects as arguments of rules match objects with further members, as at 0.9. */
export function withOpenPatterns(program: DiffProgram): DiffProgram {
  let counter = 0
  return edited(program, (rule, source) => {
    const statements: string[] = []
    const edits: Edit[] = []
    for (const arg of rule.head.args ?? []) {
      if (arg.kind !== 'object') continue
      const name = `open${counter++}`
      edits.push(replaced(arg.span, name))
      statements.push(`is_object(${name})`)
      for (const [key, value] of arg.entries)
        statements.push(`${name}[${key.span.text}] = ${value.span.text}`)
    }
    if (edits.length === 0) return []
    const all = bodiesOf(rule).map(({ body, span }) =>
      before(source, body, span.end, statements.join('; ')),
    )
    return [...edits, ...all]
  })
}

const replaced = ({ start, end }: Span, text: string): Edit => ({ start, end, text })

/** A program in which a name is another one. */
export const renamed =
  (name: RegExp, other: string) =>
  (program: DiffProgram): DiffProgram => ({
    ...program,
    modules: program.modules.map((module) => ({
      ...module,
      source: module.source.replace(name, other),
    })),
  })
