import { constantOf } from 'polgate-rego/compile/constants.ts'
import { walkTerm } from 'polgate-rego/compile/visit.ts'
import type { Import, Literal, Ref, Rule, Term } from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'
import { isArray, isObject, type Value } from 'polgate-rego/values/value.ts'
import type { DiffProgram } from './answers.ts'
import { before, bodiesOf, edited } from './rewrite.ts'

/**
 * A program that does first what the index of OPA does before a rule is evaluated. The index leaves out
 * a rule that names a document which is undefined, or that compares a document or an argument with a
 * constant which it is not.
 */
export function asIndexed(program: DiffProgram): DiffProgram {
  const documents = new IndexedDocuments(program)
  return edited(program, (rule, source, module) =>
    bodiesOf(rule).flatMap(({ body, value, span }) => {
      if (body.some(isPrint)) return []
      const names = namesOf(module.imports)
      const statements = body.filter(({ withs }) => withs.length === 0)
      // The values of `with` come before its statement, whichever that is.
      const terms = body.flatMap(({ withs }) => withs.map((each) => each.value))
      terms.push(...statements.flatMap(operandsOf))
      for (const part of [value, rule.head.member, ...rule.head.ref.path])
        if (part !== undefined) terms.push(part)
      const isLeftOut = terms
        .flatMap(evaluatedWith)
        .some((term) => documents.isUndefined(full(term, names)))
      const comparisons = statements.flatMap((each) => {
        const condition = each.negated ? undefined : documents.conditionOf(each, rule, names)
        return condition === undefined ? [] : [condition]
      })
      const first = isLeftOut ? ['false'] : comparisons
      return first.length === 0 ? [] : [before(source, body, span.end, first.join('; '))]
    }),
  )
}

/**
 * The programs in which one rule is before the others of its name. OPA evaluates rules that are in its index after
 * those that are not, and none after one that has the only value of all.
 */
export function* inOtherOrders(program: DiffProgram): Generator<DiffProgram> {
  for (const [i, { name, source }] of program.modules.entries()) {
    const { rules } = parseModule(new Source(name, source))
    for (const rule of rules) {
      const first = rules.find((each) => nameOf(each) === nameOf(rule))!
      if (first === rule) continue
      const [before, between] = [
        source.slice(0, first.span.start),
        source.slice(first.span.start, rule.span.start),
      ]
      const other = `${before}${rule.span.text}\n\n${between}${source.slice(rule.span.end)}`
      const reordered = {
        ...program,
        modules: program.modules.map((each, j) => (j === i ? { name, source: other } : each)),
      }
      yield* [reordered, asIndexed(reordered)]
    }
  }
}

const nameOf = ({ head }: Rule): string => head.ref.head.span.text

/** `print` keeps a rule out of the index. */
const isPrint = (literal: Literal): boolean =>
  literal.kind === 'term' &&
  literal.term.kind === 'call' &&
  /^(?:internal\.)?(?:print|test_case)$/.test(literal.term.operator.span.text)

/**
 * What a statement evaluates before it is looked at, and before it is negated. A reference alone is evaluated as it is,
 * and so is one that is equal to something, where that is negated.
 */
function operandsOf(literal: Literal): Term[] {
  if (literal.kind === 'every') return [literal.domain]
  if (literal.kind === 'some') return []
  const term = literal.kind === 'someIn' ? literal.domain : literal.term
  if (term.kind === 'ref') return [...term.path]
  const isNegatedEquation =
    literal.negated && term.kind === 'call' && /^==?$/.test(term.infix ?? '')
  if (!isNegatedEquation) return [term]
  return term.args.flatMap((each) => (each.kind === 'ref' ? each.path : [each]))
}

/** The parts of a term that are evaluated with it: not those in bodies of their own. */
function evaluatedWith(term: Term): Term[] {
  const found: Term[] = []
  walkTerm(term, (part) => {
    found.push(part)
    return !('body' in part)
  })
  return found
}

/** What imports give names. */
const namesOf = (imports: readonly Import[]): ReadonlyMap<string, Ref> =>
  new Map(
    imports.map(({ path, alias }) => [alias ?? String(lastOf(path) ?? path.head.span.text), path]),
  )

function lastOf({ path }: Ref): Value | undefined {
  const last = path.at(-1)
  return last === undefined ? undefined : constantOf(last)
}

/** The name of a document and the keys below it; undefined if the term is something else, or a key varies. */
function full(term: Term, names: ReadonlyMap<string, Ref>): readonly Value[] | undefined {
  const [head, path] = term.kind === 'ref' ? [term.head, term.path] : [term, []]
  if (head.kind !== 'var') return undefined
  const keys: Value[] = []
  for (const part of path) {
    if (part.kind !== 'scalar') return undefined
    keys.push(part.value)
  }
  if (head.name === 'input' || head.name === 'data') return [head.name, ...keys]
  const imported = names.get(head.name)
  const start = imported && full(imported, new Map())
  return start && [...start, ...keys]
}

/** Documents that the index looks at: not those of rules. */
class IndexedDocuments {
  private readonly roots: ReadonlyMap<Value, Value | undefined>
  private readonly rules: readonly (readonly Value[])[]

  constructor({ modules, input, data }: DiffProgram) {
    this.roots = new Map([
      ['input', documentOf(input)],
      ['data', documentOf(data)],
    ])
    this.rules = modules.flatMap(({ name, source }) => {
      const { package: pkg, rules } = parseModule(new Source(name, source))
      return rules.map(({ head }) => [
        ...constantsOf([pkg.path.head, ...pkg.path.path]),
        ...constantsOf([head.ref.head, ...head.ref.path]),
      ])
    })
  }

  /** Whether there is no such document, and no rule for it. */
  isUndefined(path: readonly Value[] | undefined): boolean {
    return path !== undefined && !this.isOfRules(path) && this.valueOf(path) === undefined
  }

  /** What the index asks first, of a statement that compares a document or an argument with a constant. */
  conditionOf(literal: Literal, rule: Rule, names: ReadonlyMap<string, Ref>): string | undefined {
    if (literal.kind !== 'term' || literal.term.kind !== 'call') return undefined
    const { operator, infix, args } = literal.term
    const [left, right, third] = args
    if (left === undefined || right === undefined) return undefined
    const isSubject = (term: Term): boolean => {
      const path = full(term, names)
      if (path !== undefined) return !this.isOfRules(path)
      return term.kind === 'var' && (rule.head.args ?? []).some((arg) => isNamed(arg, term.name))
    }
    const { text } = literal.span
    if (/^==?$/.test(infix ?? '')) {
      const is = (isSubject(left) && isFlat(right)) || (isSubject(right) && isFlat(left))
      return is ? text : undefined
    }
    const isGlob = operator.span.text === 'glob.match' && third !== undefined && isSubject(third)
    // What is not a string does not match, without an error.
    return isGlob && isPlainGlob(left, right) ? `is_string(${third.span.text}); ${text}` : undefined
  }

  /** Whether a rule is at, above or below a path. */
  private isOfRules(path: readonly Value[]): boolean {
    return this.rules.some((rule) => {
      const length = Math.min(rule.length, path.length)
      return rule.slice(0, length).every((key, i) => key === path[i])
    })
  }

  private valueOf([root, ...keys]: readonly Value[]): Value | undefined {
    let value = this.roots.get(root!)
    for (const key of keys) value = value === undefined ? undefined : memberOf(value, key)
    return value
  }
}

const isNamed = (term: Term, name: string): boolean => term.kind === 'var' && term.name === name

/** A glob that is in the index: of texts and asterisks between delimiters. */
function isPlainGlob(glob: Term, delimiters: Term): boolean {
  const [text, between] = [constantOf(glob), constantOf(delimiters)]
  if (typeof text !== 'string' || between === undefined || !isArray(between)) return false
  const ends = between.length === 0 ? '.' : between.join('')
  const parts = [...text]
    .map((each) => (ends.includes(each) ? '\n' : each))
    .join('')
    .split('\n')
  return parts.every((part) => part === '*' || !/[[?{*\\]/.test(part))
}

/** A scalar, or an array of them. */
function isFlat(term: Term): boolean {
  if (term.kind === 'array') return term.items.every(({ kind }) => kind === 'scalar')
  return term.kind === 'scalar'
}

const documentOf = (json: string | undefined): Value | undefined =>
  json === undefined ? undefined : parseJson(json)

function memberOf(value: Value, key: Value): Value | undefined {
  if (isObject(value)) return value.get(key)
  return isArray(value) && typeof key === 'number' ? value[key] : undefined
}

/** The keys up to the first that varies; names are keys, too. */
function constantsOf([head, ...path]: readonly Term[]): Value[] {
  const keys: Value[] = head?.kind === 'var' ? [head.name] : []
  for (const part of path) {
    if (part.kind !== 'scalar') break
    keys.push(part.value)
  }
  return keys
}
