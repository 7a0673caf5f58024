import { RegoError } from '../errors.ts'
import type { Literal, Term } from './ast.ts'
import { parseModule } from './parser.ts'
import { Source } from './source.ts'

/** A term with all of its parentheses. */
export function shape(term: Term): string {
  switch (term.kind) {
    case 'scalar':
      return JSON.stringify(term.value)
    case 'var':
      return term.name.startsWith('$') ? '_' : term.name
    case 'ref':
      return `${shape(term.head)}${term.path.map((part) => `[${shape(part)}]`).join('')}`
    case 'array':
      return `[${term.items.map(shape).join(' ')}]`
    case 'set':
      return `<${term.items.map(shape).join(' ')}>`
    case 'object':
      return `{${term.entries.map(([k, v]) => `${shape(k)}:${shape(v)}`).join(' ')}}`
    case 'call':
      return `(${[shape(term.operator), ...term.args.map(shape)].join(' ')})`
    case 'template':
      return `$(${term.parts.map((p) => (typeof p === 'string' ? JSON.stringify(p) : literal(p))).join(' ')})`
    case 'objectComprehension':
      return `{${shape(term.key)}:${shape(term.value)} | ${term.body.map(literal).join('; ')}}`
    default: {
      const [open, close] = term.kind === 'arrayComprehension' ? ['[', ']'] : ['<', '>']
      return `${open}${shape(term.head)} | ${term.body.map(literal).join('; ')}${close}`
    }
  }
}

export function literal(each: Literal): string {
  const withs = each.withs.map((w) => ` with ${shape(w.target)} as ${shape(w.value)}`).join('')
  switch (each.kind) {
    case 'term':
      return `${each.negated ? 'not ' : ''}${shape(each.term)}${withs}`
    case 'some':
      return `some ${each.vars.map(shape).join(' ')}`
    case 'someIn':
      return `some ${each.key === undefined ? '' : `${shape(each.key)} `}${shape(each.value)} in ${shape(each.domain)}${withs}`
    case 'every':
      return `every ${each.key === undefined ? '' : `${shape(each.key)} `}${shape(each.value)} in ${shape(each.domain)} {${each.body.map(literal).join('; ')}}${withs}`
  }
}

export const module = (text: string) => parseModule(new Source('a.rego', text))

export function mistake(text: string): string {
  try {
    module(text)
  } catch (error) {
    if (error instanceof RegoError) {
      return `${error.location?.row}:${error.location?.col} ${error.code}: ${error.message}`
    }
    throw error
  }
  return 'none'
}
