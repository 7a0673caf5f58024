import { Choices } from './choices.ts'
import { type Defined, Terms } from './terms.ts'
import { KINDS } from './vocabulary.ts'

/**
 * A Rego v1 policy derived from a list of numbers: rules of all kinds, each using earlier ones.
 * Mostly well typed; with `wild`, sometimes not.
 */
export function program(
  numbers: readonly number[],
  options: { readonly pkg: string; readonly wild: boolean },
): string {
  const choices = new Choices(numbers)
  const rules: string[] = []
  const defined: Defined[] = []
  do {
    const terms = new Terms(choices, defined, options.wild)
    const [text, rule] = RULES[choices.below(RULES.length)]!(terms, choices, `r${rules.length}`)
    rules.push(text)
    defined.push(rule)
  } while (!choices.done && rules.length < 12)
  return `package ${options.pkg}\n\n${rules.join('\n\n')}\n`
}

type RuleMaker = (terms: Terms, choices: Choices, name: string) => readonly [string, Defined]

const block = (body: string): string => `{\n${body}\n}`

const complete: RuleMaker = (terms, choices, name) => {
  const kind = choices.one(KINDS)
  const text = `${name} := ${terms.value(kind, 3)}`
  return [text, { name, kind, args: [] }]
}

const conditional: RuleMaker = (terms, choices, name) => {
  const kind = choices.one(KINDS)
  const parts: string[] = []
  if (choices.rarely(2)) parts.push(`default ${name} := ${terms.constant(kind)}`)
  const body = terms.body(2)
  let rule = `${name} := ${terms.value(kind, 2)} if ${block(body)}`
  terms.leave()
  while (choices.rarely(3)) {
    const other = terms.body(2)
    rule += ` else := ${terms.value(kind, 2)} if ${block(other)}`
    terms.leave()
  }
  parts.push(rule)
  return [parts.join('\n\n'), { name, kind, args: [] }]
}

const partialSet: RuleMaker = (terms, choices, name) => {
  const rules: string[] = []
  do {
    const body = terms.body(2)
    rules.push(`${name} contains ${terms.value('number', 2)} if ${block(body)}`)
    terms.leave()
  } while (choices.rarely(2) && rules.length < 4)
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
    rules.push(`${name}(${names.join(', ')}) := ${terms.value(kind, 2)} if ${block(body)}`)
    terms.leave()
    terms.leave()
  } while (choices.rarely(4) && rules.length < 3)
  return [rules.join('\n\n'), { name, kind, args }]
}

const RULES: readonly RuleMaker[] = [complete, conditional, partialSet, partialObject, heads, func]
