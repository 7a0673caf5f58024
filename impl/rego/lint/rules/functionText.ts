import type { ResolvedRule } from '../../compile/resolved.ts'
import type { Span } from '../../syntax/source.ts'
import type { LintContext, LintFault, LintRule } from '../lintRule.ts'
import { eachTerm } from '../literals.ts'

export const functionText: LintRule = {
  id: 'function-text',
  title: 'a function compared with its declaration',
  why: `\`input.decoded_function_signature\` is the canonical signature of the function that is called, such as
\`transfer(address,uint256)\`, as \`input.function.name\` with the types of its arguments is. It never begins with
\`function \` and contains no names: a comparison with a declaration is never equal, and a policy that allows such
calls alone denies every task.`,
  bad: [
    `package policy

default allow := false

allow if input.decoded_function_signature == "function transfer(address to, uint256 value)"`,
  ],
  good: [
    `package policy

default allow := false

allow if input.decoded_function_signature == "transfer(address,uint256)"`,
  ],
  check: declaredTexts,
}

const member = 'decoded_function_signature'

function declaredTexts({ policies }: LintContext): readonly LintFault[] {
  if (!policies.some(readsSignature)) return []
  return policies.flatMap(textsOf).map(({ span, text }) => {
    const canonical = canonicalSignature(text)
    const help =
      canonical === undefined
        ? 'write its canonical signature, such as "transfer(address,uint256)"'
        : `write ${JSON.stringify(canonical)}`
    return {
      span,
      message: `input.${member} is never ${JSON.stringify(text.slice(0, 200))}: it has neither the word function nor names`,
      help,
    }
  })
}

function readsSignature(rule: ResolvedRule): boolean {
  let found = false
  eachTerm(rule, (term) => {
    if (term.kind === 'scalar' && term.value === member) found = true
  })
  return found
}

function textsOf(rule: ResolvedRule): readonly { readonly span: Span; readonly text: string }[] {
  const found: { readonly span: Span; readonly text: string }[] = []
  eachTerm(rule, (term) => {
    if (term.kind !== 'scalar' || typeof term.value !== 'string') return
    if (isDeclaration(term.value)) found.push({ span: term.span, text: term.value })
  })
  return found
}

/** Whether a text declares a function as Solidity does. */
export const isDeclaration = (text: string): boolean => /^\s*function\s+\w+\s*\(/.test(text)

/** `transfer(address,uint256)` of `function transfer(address to, uint amount) returns (bool)`; undefined if it is not one. */
export function canonicalSignature(text: string): string | undefined {
  const [, name, rest = ''] = /^\s*function\s+(\w+)\s*\(([\s\S]*)$/.exec(text) ?? []
  if (name === undefined || text.length > longest) return undefined
  const types = typesOf(rest)
  return types && `${name}(${types.list.join(',')})`
}

const longest = 4_096

/** The types up to the parenthesis that closes them, and what follows it. */
function typesOf(
  text: string,
): { readonly list: readonly string[]; readonly rest: string } | undefined {
  const list: string[] = []
  let rest = text.trimStart()
  if (rest.startsWith(')')) return { list, rest: rest.slice(1) }
  for (;;) {
    const tuple = /^(?:tuple\s*)?\(/.exec(rest)
    const inside = tuple === null ? undefined : typesOf(rest.slice(tuple[0].length))
    if (tuple !== null && inside === undefined) return undefined
    const [whole, type = ''] = inside === undefined ? (/^([a-z]\w*)/.exec(rest) ?? []) : []
    if (inside === undefined && whole === undefined) return undefined
    rest = inside?.rest ?? rest.slice(type.length)
    const [arrays = ''] = /^(?:\[\d*\])*/.exec(rest) ?? []
    const base =
      inside === undefined ? type.replace(/^(u?int)$/, '$1256') : `(${inside.list.join(',')})`
    list.push(base + arrays)
    const [, end] = /^[\w\s]*([,)])/.exec(rest.slice(arrays.length)) ?? []
    if (end === undefined) return undefined
    rest = rest.slice(rest.indexOf(end, arrays.length) + 1).trimStart()
    if (end === ')') return { list, rest }
  }
}
