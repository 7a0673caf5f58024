import { constantOf } from 'polgate-rego/compile/constants.ts'
import { isComprehension, walkBody, walkTerm } from 'polgate-rego/compile/visit.ts'
import type { Body, Comprehension, Literal, Module, Rule, Term } from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { sameButEmpty } from './alike.ts'
import type { Answer, DiffProgram } from './answers.ts'
import { isBare } from './rewrite.ts'

/** Constructions in programs that are the cause of differences. */

type Parsed = { readonly rule: Rule; readonly source: string }

function rulesOf({ modules }: DiffProgram): Parsed[] {
  return modules.flatMap(({ name, source }) =>
    (parsed(name, source)?.rules ?? []).map((rule) => ({ rule, source })),
  )
}

function parsed(name: string, source: string): Module | undefined {
  try {
    return parseModule(new Source(name, source))
  } catch {
    return undefined
  }
}

const bodiesOf = ({ body, elses }: Rule): Body[] => [body, ...elses.map((each) => each.body)]

/** Whether answers are the same but for empty objects in the documents of reference heads: `p.a[x] := 1`. */
export function sameButEmptyHeads(program: DiffProgram, ours: Answer, theirs: Answer): boolean {
  const rules = rulesOf(program).map(({ rule }) => rule)
  const nameOf = ({ head }: Rule): string => head.ref.head.span.text
  const names = new Set(rules.filter(({ head }) => head.ref.path.length > 0).map(nameOf))
  const isOfPackage = !rules.some((rule) => program.query.endsWith(`.${nameOf(rule)}`))
  return names.size > 0 && sameButEmpty(ours, theirs, (name) => !isOfPackage || names.has(name))
}

/** A body without braces whose statement begins with one: `p if {1} in x`. */
export const hasBodyLikeABlock = (program: DiffProgram): boolean =>
  rulesOf(program).some(({ rule, source }) =>
    bodiesOf(rule).some((body) => isBare(source, body) && body[0]!.span.text.startsWith('{')),
  )

/** Modules `a` and `a.b`. */
export function hasPackageBelowAnother({ modules }: DiffProgram): boolean {
  const paths = modules.map(({ source }) => /^package (\S+)/m.exec(source)?.[1] ?? '')
  return paths.some((path) => paths.some((other) => path.startsWith(`${other}.`)))
}

/** An object written with several members of which one has a key that is the same as another, or no constant. */
export const hasKeysThatMayBeEqual = (program: DiffProgram): boolean =>
  rulesOf(program).some(({ rule }) =>
    termsOf(rule).some((term) => {
      if (term.kind !== 'object' || term.entries.length < 2) return false
      const keys = term.entries.map(([key]) => key)
      const texts = new Set(keys.map(({ span }) => span.text))
      return texts.size < keys.length || keys.some(({ kind }) => kind !== 'scalar')
    }),
  )

/** Whether each scalar of an answer is written in the program or its documents. */
export function isOfPartsOf({ modules, input, data }: DiffProgram, answer: Answer): boolean {
  if (answer.kind !== 'value') return false
  const written = [...modules.map(({ source }) => source), input, data].join('\n')
  const scalars: string[] = []
  JSON.parse(answer.text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) scalars.push(JSON.stringify(value))
    return value
  })
  return scalars.every((each) => new RegExp(`(?<!\\w)${escaped(each)}(?!\\w)`).test(written))
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A set or an object of several members, one of which is not a constant. */
export const hasVaryingMembers = (program: DiffProgram): boolean =>
  rulesOf(program).some(({ rule }) =>
    termsOf(rule).some((term) => {
      if (term.kind !== 'set' && term.kind !== 'object') return false
      const members = term.kind === 'set' ? term.items : term.entries.map(([key]) => key)
      return members.length > 1 && members.some((member) => constantOf(member) === undefined)
    }),
  )

/** A reference to a member whose key is a set, or has one in it. */
export const hasSetAsKey = (program: DiffProgram): boolean =>
  rulesOf(program).some(({ rule }) =>
    termsOf(rule).some(
      (term) =>
        term.kind === 'object' &&
        term.entries.some(([key]) => {
          let isOrHas = false
          walkTerm(key, ({ kind }) => {
            if (kind === 'set') isOrHas = true
            return true
          })
          return isOrHas
        }),
    ),
  )

/** A variable in an expression that has a comprehension, too, of which another variable is that of an expression outside. */
export const isBesideComprehension = (program: DiffProgram, name: string): boolean =>
  rulesOf(program).some(({ rule }) =>
    bodiesOf(rule).some((body) =>
      body.some((literal) => {
        const own = namesOf([literal])
        const outside = namesOf(body.filter((each) => each !== literal))
        return (
          own.has(name) &&
          !outside.has(name) &&
          isOnlyOperand(literal, name) &&
          closuresOf(literal).some((each) => isOf(each, outside))
        )
      }),
    ),
  )

/** Calls that give variables values. */
const BINDING: ReadonlySet<string> = new Set(['=', ':=', 'eq', 'assign', 'walk'])

/** Whether a variable is nothing but an operand of calls: where it would get no value. */
function isOnlyOperand(literal: Literal, name: string): boolean {
  if (literal.kind !== 'term') return false
  let is = true
  walkTerm(literal.term, (term) => {
    const gets =
      term.kind === 'ref'
        ? term.path.some((part) => part.kind === 'var' && part.name === name)
        : term.kind === 'call' && BINDING.has(term.infix ?? term.operator.span.text)
    if (gets) is = false
    return true
  })
  return is
}

const isOf = ({ body }: Comprehension, names: ReadonlySet<string>): boolean =>
  [...namesOf(body)].some((name) => names.has(name))

function namesOf(body: Body): Set<string> {
  const names = new Set<string>()
  walkBody(body, (term) => {
    if (term.kind === 'var') names.add(term.name)
    return true
  })
  return names
}

function closuresOf(literal: Literal): Comprehension[] {
  const found: Comprehension[] = []
  walkBody([literal], (term) => {
    if (isComprehension(term)) found.push(term)
    return true
  })
  return found
}

/** A set or an object comprehension within another comprehension, of a variable that its own body does not name. */
export const hasCapturedHead = (program: DiffProgram): boolean =>
  rulesOf(program).some(({ rule }) =>
    termsOf(rule)
      .filter(isComprehension)
      .some((outer) => within(outer).some((each) => each !== outer && isCapturing(each))),
  )

function within({ body }: Comprehension): Comprehension[] {
  const found: Comprehension[] = []
  walkBody(body, (term) => {
    if (isComprehension(term)) found.push(term)
    return true
  })
  return found
}

function isCapturing(term: Comprehension): boolean {
  const own = new Set<string>()
  walkBody(term.body, (part) => {
    if (part.kind === 'var') own.add(part.name)
    return true
  })
  const heads = term.kind === 'objectComprehension' ? [term.key, term.value] : [term.head]
  return heads.some((head) => head.kind === 'var' && !own.has(head.name))
}

function termsOf({ head, body, elses }: Rule): Term[] {
  const found: Term[] = []
  const add = (term: Term): boolean => {
    found.push(term)
    return true
  }
  for (const each of [
    head.member,
    head.value,
    ...head.ref.path,
    ...elses.map(({ value }) => value),
  ])
    if (each !== undefined) walkTerm(each, add)
  for (const each of [body, ...elses.map((branch) => branch.body)]) walkBody(each, add)
  return found
}
