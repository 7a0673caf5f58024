import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { callable, callOf, replacement } from './builtinCalls.ts'
import type { Choices } from './choices.ts'
import type { Defined } from './termSource.ts'
import type { Terms } from './terms.ts'
import { KINDS, type Kind } from './vocabulary.ts'

/** The text of the rules of one name, and how others may use them. */
export type Made = readonly [text: string, defined?: Defined]

type RuleMaker = (terms: Terms, choices: Choices, name: string) => Made

const block = (body: string): string => `{\n${body}\n}`

const complete: RuleMaker = (terms, choices, name) => {
  const kind = choices.one(KINDS)
  const assign = choices.rarely(6) ? '=' : ':='
  return [`${name} ${assign} ${terms.value(kind, 3)}`, { name, kind, args: [] }]
}

const conditional: RuleMaker = (terms, choices, name) => {
  const kind = choices.one(KINDS)
  const parts: string[] = []
  if (choices.rarely(2)) parts.push(`default ${name} := ${terms.constant(kind)}`)
  if (choices.rarely(10)) {
    parts.push(`${name} := ${terms.constant(kind)} if ${bodies(terms)}`)
    return [parts.join('\n\n'), { name, kind, args: [] }]
  }
  const body = terms.body(2)
  let rule = `${name} := ${terms.value(kind, 2)} if ${block(body)}`
  terms.leave()
  while (choices.rarely(3)) {
    const other = terms.body(2)
    rule += ` else := ${terms.value(kind, 2)} if ${block(other)}`
    terms.leave()
  }
  if (choices.rarely(5)) rule += ` else := ${terms.constant(kind)}`
  parts.push(rule)
  return [parts.join('\n\n'), { name, kind, args: [] }]
}

/** Two bodies of one head. */
function bodies(terms: Terms): string {
  const made = [0, 1].map(() => {
    const body = block(terms.body(1))
    terms.leave()
    return body
  })
  return made.join(' ')
}

const truth: RuleMaker = (terms, choices, name) => {
  const rules: string[] = []
  if (choices.rarely(3)) rules.push(`default ${name} := false`)
  do {
    const body = terms.body(2)
    rules.push(`${name} if ${/[\n;]/.test(body) || choices.rarely(2) ? block(body) : body}`)
    terms.leave()
  } while (choices.rarely(2) && rules.length < 4)
  return [rules.join('\n\n'), { name, kind: 'boolean', args: [] }]
}

const partialSet: RuleMaker = (terms, choices, name) => {
  const rules: string[] = []
  do {
    const body = terms.body(2)
    rules.push(`${name} contains ${terms.value('number', 2)} if ${block(body)}`)
    terms.leave()
  } while (choices.rarely(2) && rules.length < 4)
  if (choices.rarely(6)) rules.push(`${name} contains ${terms.constant('number')}`)
  if (choices.rarely(12))
    rules.push(`${name} contains ${terms.constant('number')} if ${bodies(terms)}`)
  return [rules.join('\n\n'), { name, kind: 'set', args: [] }]
}

const partialObject: RuleMaker = (terms, choices, name) => {
  const rules: string[] = []
  do {
    const body = terms.body(2)
    rules.push(
      `${name}[${terms.value('string', 1)}] := ${terms.value('number', 2)} if ${block(body)}`,
    )
    terms.leave()
  } while (choices.rarely(3) && rules.length < 3)
  return [rules.join('\n\n'), { name, kind: 'object', args: [] }]
}

const heads: RuleMaker = (terms, choices, name) => {
  const rules = [`${name}.${choices.one(['a', 'b'])} := ${terms.value('number', 2)}`]
  while (choices.rarely(2) && rules.length < 4) {
    const body = terms.body(1)
    rules.push(
      `${name}[${terms.value('string', 1)}] := ${terms.value('number', 1)} if ${block(body)}`,
    )
    terms.leave()
  }
  return [rules.join('\n\n'), { name, kind: 'object', args: [] }]
}

/** References in heads that are deeper than one key: not used by other rules. */
const deepHeads: RuleMaker = (terms, choices, name) => {
  const rules: string[] = []
  do {
    const body = terms.body(1)
    const [key, other] = [terms.value('string', 1), terms.value('string', 0)]
    const head = choices.one([
      `${name}.a[${key}].c := ${terms.value('number', 1)}`,
      `${name}.b[${key}] contains ${terms.value('number', 1)}`,
      `${name}.c[${key}][${other}] := ${terms.value('boolean', 1)}`,
      `${name}.d contains ${terms.value('string', 1)}`,
      `${name}.e[${terms.value('number', 0)}]`,
    ])
    rules.push(`${head} if ${block(body)}`)
    terms.leave()
  } while (choices.rarely(2) && rules.length < 4)
  return [rules.join('\n\n')]
}

const func: RuleMaker = (terms, choices, name) => {
  const kind = choices.one(KINDS)
  const args = Array.from({ length: 1 + choices.below(2) }, () => choices.one(KINDS))
  const rules: string[] = []
  if (choices.rarely(4)) {
    rules.push(`default ${name}(${args.map(() => '_').join(', ')}) := ${terms.constant(kind)}`)
  }
  do {
    const names = terms.arguments(args)
    const body = terms.body(1)
    let rule = `${name}(${names.join(', ')}) := ${terms.value(kind, 2)} if ${block(body)}`
    terms.leave()
    if (choices.rarely(4)) rule += ` else := ${terms.value(kind, 1)}`
    rules.push(rule)
    terms.leave()
  } while (choices.rarely(4) && rules.length < 3)
  return [rules.join('\n\n'), { name, kind, args }]
}

/** Functions whose arguments are patterns and constants. */
const matching: RuleMaker = (terms, choices, name) => {
  const kind = choices.one(KINDS)
  const of = choices.one(['number', 'string', 'array', 'object'] as const)
  const rules: string[] = []
  do {
    const [pattern, scope] = terms.pattern(of)
    terms.enter(scope)
    rules.push(`${name}(${pattern}) := ${terms.value(kind, 2)}`)
    terms.leave()
  } while (choices.rarely(2) && rules.length < 3)
  return [rules.join('\n\n'), { name, kind, args: [of] }]
}

const SCALARS: readonly Kind[] = ['number', 'string', 'boolean']

/** A rule with the result of one built-in, chosen among all. */
const builtin: RuleMaker = (terms, choices, name) => {
  return called(terms, choices, name, choices.one(callable(terms.builtins)))
}

function called(terms: Terms, choices: Choices, name: string, chosen: Builtin): Made {
  const call = callOf(choices, chosen, (kind, depth) => terms.value(kind, depth), 2)
  const replaced = replacement(chosen.name)
  if (replaced !== '') return [`${name} := x if {\nx := ${call}${replaced}\n}`]
  const kind = SCALARS.find((each) => each === chosen.result.kind)
  const isPlain = call.startsWith(`${chosen.name}(`)
  const text = choices.rarely(5)
    ? `${name} := y if {\n${chosen.relation ? 'y := ' : ''}${call}${chosen.relation ? '' : ' = y'}\n}`
    : `${name} := ${call}`
  return kind === undefined || !isPlain || chosen.relation
    ? [chosen.relation ? relationRule(terms, choices, name, call) : text]
    : [text, { name, kind, args: [] }]
}

/** A relation in each form in which it may be called. */
function relationRule(terms: Terms, choices: Choices, name: string, call: string): string {
  const bare = call.slice(0, -1)
  return choices.one([
    `${name} contains [p, v] if {\n[p, v] := ${call}\n}`,
    `${name} contains [p, v] if {\n[p, v] = ${call}\n}`,
    `${name} contains [p, v] if {\n${bare}, [p, v])\n}`,
    `${name} contains v if {\nv := ${call}[1]\n}`,
    `${name} contains v if {\nv := ${call}\n}`,
    `${name} contains count(v) if {\nv := ${call}[0]\n}`,
    `${name} := {count(${call}) | true}`,
    `${name} contains v if {\nsome v in ${call}\n}`,
    `${name} := [v | ${bare}, [["a"], v])]`,
    `${name} if {\nevery v in ${call} { v != ${terms.constant('number')} }\n}`,
  ])
}

/** A rule that reads its own annotations. */
const annotated: RuleMaker = (terms, choices, name) => {
  const call = choices.one(['rego.metadata.rule()', 'rego.metadata.chain()'])
  if (!terms.builtins.some((each) => each.name === 'rego.metadata.rule'))
    return complete(terms, choices, name)
  return [
    `# METADATA\n# title: ${name}\n# custom:\n#   level: ${choices.below(9)}\n${name} := ${call}`,
  ]
}

export const RULES: readonly RuleMaker[] = [
  complete,
  builtin,
  builtin,
  builtin,
  conditional,
  truth,
  partialSet,
  partialObject,
  heads,
  deepHeads,
  func,
  matching,
  annotated,
]

/** Rules of all kinds, each using earlier ones. `known`: rules of other modules. */
export function rulesOf(
  choices: Choices,
  termsWith: (defined: readonly Defined[]) => Terms,
  options: {
    readonly most: number
    readonly known?: readonly Defined[]
    /** A built-in that the first rule calls. */
    readonly focus?: Builtin | undefined
  },
): { readonly texts: readonly string[]; readonly defined: readonly Defined[] } {
  const texts: string[] = []
  const defined: Defined[] = []
  do {
    const terms = termsWith([...(options.known ?? []), ...defined])
    const name = `r${texts.length}`
    const { focus } = options
    const [text, rule] =
      focus !== undefined && texts.length === 0
        ? called(terms, choices, name, focus)
        : choices.one(RULES)(terms, choices, name)
    texts.push(text)
    if (rule !== undefined) defined.push(rule)
  } while (!choices.done && texts.length < options.most)
  return { texts, defined }
}
