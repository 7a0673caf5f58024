import { walkBody, walkTerm } from 'polgate-rego/compile/visit.ts'
import type { Body, Module, Rule, Term, Var } from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source, type Span } from 'polgate-rego/syntax/source.ts'
import type { DiffProgram } from './answers.ts'

/** Programs that say in the words of the language what a peer does: if they answer as the peer, that is the cause. */

type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** A program in which parts of rules are replaced. */
export function edited(
  program: DiffProgram,
  editsOf: (rule: Rule, source: string, module: Module) => readonly Edit[],
): DiffProgram {
  const modules = program.modules.map(({ name, source }) => {
    const module = parseModule(new Source(name, source))
    const edits = module.rules
      .flatMap((rule) => editsOf(rule, source, module))
      .sort((a, b) => b.start - a.start)
    const text = edits.reduce(
      (rest, each) => rest.slice(0, each.start) + each.text + rest.slice(each.end),
      source,
    )
    return { name, source: text }
  })
  return { ...program, modules }
}

/** Puts a statement before the others of a body; `end`: where a body would begin, if there is none. */
export function before(source: string, body: Body, end: number, statement: string): Edit {
  const [first] = body
  if (first === undefined) return { start: end, end, text: ` if { ${statement} }` }
  const { start } = first.span
  if (!isBare(source, body)) return { start, end: start, text: `${statement}; ` }
  return { start, end: first.span.end, text: `{ ${statement}; ${first.span.text} }` }
}

/** Whether a body is one statement without braces around it. */
export const isBare = (source: string, [first]: Body): boolean =>
  first !== undefined && /\bif\s*$/.test(source.slice(0, first.span.start))

/** The bodies of a rule with their values. */
export const bodiesOf = ({ head, body, elses }: Rule) => [
  { body, value: head.value, span: head.span },
  ...elses,
]

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

/** Programs in which one token after `if` is a brace. */
export function* withBraces(program: DiffProgram): Generator<DiffProgram> {
  for (const [at, { name, source }] of program.modules.entries())
    for (const { index, 0: text } of source.matchAll(/\bif(?:\s+[a-z]+\b|\s*[^\w\s{])/g)) {
      const open = text.replace(/(?:\w+|\W)$/, ' {')
      const rest = source.slice(index + text.length)
      const module = { name, source: `${source.slice(0, index)}${open}${rest}` }
      yield { ...program, modules: program.modules.with(at, module) }
    }
}

/** A program in which further bodies of a rule are branches, whose value is true, as at 0.9. */
export const withBodiesAsElses = (program: DiffProgram): DiffProgram =>
  edited(program, ({ span }) =>
    span.text.startsWith('{')
      ? [{ start: span.start, end: span.start, text: 'else := true if ' }]
      : [],
  )

/** A program in which a variable of several arguments is that of the last one, as at 0.9. */
export function withLastArguments(program: DiffProgram): DiffProgram {
  return edited(program, ({ head: { args = [] } }) => {
    const varsOf = (term: Term): Var[] => {
      const vars: Var[] = []
      walkTerm(term, (part) => {
        if (part.kind === 'var') vars.push(part)
        return true
      })
      return vars
    }
    const found = args.map(varsOf)
    return found.flatMap((vars, i) => {
      const later = new Set(found.slice(i + 1).flatMap((each) => each.map(({ name }) => name)))
      return vars
        .filter(({ name }) => later.has(name))
        .map(({ name, span }) => replaced(span, `${name}_${i}`))
    })
  })
}

/** A program in which `p[k] if …` has the first key that it finds, as at 0.9. */
export function withFirstKeys(program: DiffProgram): DiffProgram {
  return edited(program, ({ head, body }, source) => {
    const last = head.ref.path.at(-1)
    const [first, final] = [body[0], body.at(-1)]
    const hasValue =
      head.member !== undefined || head.args !== undefined || head.assign !== undefined
    if (last === undefined || first === undefined || final === undefined || hasValue) return []
    const { start } = first.span
    const { end } = final.span
    const key = `[${last.span.text} | ${source.slice(start, end)}][0]`
    const text = `first_key := ${key}`
    return [
      replaced(last.span, 'first_key'),
      { start, end, text: isBare(source, body) ? `{ ${text} }` : text },
    ]
  })
}

/** A program without statements that name the whole object of reference heads: `p` of `p.a := 1`. */
export function withoutHeadObjects(program: DiffProgram): DiffProgram {
  return edited(program, (rule, _, { rules }) => {
    const names = rules
      .filter(({ head }) => head.ref.path.length > 0)
      .map(({ head }) => head.ref.head.span.text)
    return bodiesOf(rule).flatMap(({ body }) =>
      body
        .filter(
          (each) =>
            each.kind === 'term' &&
            !each.negated &&
            each.term.kind === 'call' &&
            each.term.args.some((arg) => arg.kind === 'var' && names.includes(arg.name)),
        )
        .map(({ span }) => replaced(span, 'false')),
    )
  })
}

/** A program in which statements with the whole object of reference heads hold only if it has members. */
export function withoutEmptyHeadObjects(program: DiffProgram): DiffProgram {
  return edited(program, (rule, source, { rules }) => {
    const names = rules
      .filter(({ head }) => head.ref.path.length > 0)
      .map(({ head }) => head.ref.head.span.text)
    return bodiesOf(rule).flatMap(({ body, span }) => {
      const guards = body.flatMap((each) => {
        if (each.kind !== 'term') return []
        const found: string[] = []
        walkTerm(each.term, (part) => {
          if (part.kind === 'var' && names.includes(part.name)) found.push(part.name)
          return true
        })
        const withs = each.withs.map((one) => one.span.text).join(' ')
        return found.map((name) => `${name} != {} ${withs}`)
      })
      return guards.length === 0 ? [] : [before(source, body, span.end, guards.join('; '))]
    })
  })
}

/** A program in which a rule holds for nothing if its head is undefined for one of its values. */
export function withoutUndefinedHeads(program: DiffProgram): DiffProgram {
  return edited(program, (rule, source) => {
    const { head, body } = rule
    const [first] = body
    const last = body.at(-1)
    if (first === undefined || last === undefined || head.args !== undefined) return []
    const parts = [...head.ref.path, head.member, head.value].flatMap((term) =>
      term === undefined || term.kind === 'scalar' ? [] : [term.span.text],
    )
    if (parts.length === 0) return []
    const text = source.slice(first.span.start, last.span.end)
    const undefinedHeads = `[1 | ${text}; count([1 | _ = [${parts.join(', ')}]]) == 0]`
    return [before(source, body, rule.span.end, `count(${undefinedHeads}) == 0`)]
  })
}

/** A program in which calls of a built-in have no value. */
export const withoutCalls =
  (name: string) =>
  (program: DiffProgram): DiffProgram =>
    edited(program, (rule) => {
      const edits: Edit[] = []
      const visit = (part: Term): boolean => {
        if (part.kind !== 'call' || part.operator.span.text !== name) return true
        edits.push(replaced(part.span, 'data.undefined.value'))
        return false
      }
      for (const { body, value } of bodiesOf(rule)) {
        walkBody(body, visit)
        for (const term of [value, rule.head.member]) if (term !== undefined) walkTerm(term, visit)
      }
      return edits
    })

const KIND_CHECKS = {
  arrayComprehension: 'is_array',
  setComprehension: 'is_set',
  objectComprehension: 'is_object',
} as const

/** A program in which a comprehension has no members if it is compared with what is not of its kind. */
export function withComparableComprehensions(program: DiffProgram): DiffProgram {
  return edited(program, (rule) => {
    const edits: Edit[] = []
    const visit = (part: Term): boolean => {
      if (part.kind !== 'call' || !/^==?$/.test(part.infix ?? '')) return true
      for (const [i, arg] of part.args.entries()) {
        const other = part.args[1 - i]!
        if (!('body' in arg) || 'body' in other) continue
        const { start } = arg.body[0]!.span
        const text = `${KIND_CHECKS[arg.kind]}(${other.span.text}); `
        edits.push({ start, end: start, text })
      }
      return true
    }
    for (const { body, value } of bodiesOf(rule)) {
      walkBody(body, visit)
      for (const term of [value, rule.head.member]) if (term !== undefined) walkTerm(term, visit)
    }
    return edits
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
