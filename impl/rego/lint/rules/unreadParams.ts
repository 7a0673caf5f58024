import type { Program } from '../../compile/program.ts'
import type { ResolvedRule } from '../../compile/resolved.ts'
import type { Term } from '../../syntax/ast.ts'
import type { Span } from '../../syntax/source.ts'
import { nodeOf } from '../defined.ts'
import type { LintContext, LintFault, LintRule } from '../lintRule.ts'
import { eachLiteral } from '../literals.ts'
import { readsOf } from '../reads.ts'

export const unreadParams: LintRule = {
  id: 'unread-param',
  title: 'a parameter that no rule reads',
  why: `A limit that is set but never read limits nothing. Mostly its name is written differently in the policy and
in its parameters, and a condition on a name that does not exist is undefined: the deny rule never holds. The
parameters are those that tests set with \`with data.params as ...\`, and those of \`--params\`.`,
  bad: [
    'package policy\n\ndeny contains "value is too high" if input.value > data.params.maximum',
    `package policy_test

import data.policy

test_value if {
	policy.deny == {"value is too high"} with input as {"value": 2}
		with data.params as {"maximum": 1, "max_age": 60}
}`,
  ],
  good: [
    'package policy\n\ndeny contains "value is too high" if input.value > data.params.maximum',
    `package policy_test

import data.policy

test_value if {
	policy.deny == {"value is too high"} with input as {"value": 2}
		with data.params as {"maximum": 1}
}`,
  ],
  check: unread,
}

type Param = { readonly path: readonly string[]; readonly span: Span | undefined }

function unread({ program, policies, tests, params }: LintContext): readonly LintFault[] {
  const reads = readsOf(program.tree, policies)
    .filter(({ path }) => path[0] === 'params')
    .map(({ path }) => path.slice(1))
  const isRead = (path: readonly string[]): boolean =>
    reads.some((read) => startsWith(read, path) || startsWith(path, read))
  const found = new Map<string, Param>()
  const all = [...params.map((path) => ({ path, span: undefined })), ...inTests(program, tests)]
  for (const param of all) {
    const name = param.path.join('.')
    if (!found.has(name) && !isRead(param.path)) found.set(name, param)
  }
  return [...found].map(([name, { span }]) => ({
    span,
    message: `no rule of the policy reads data.params.${name}`,
    help: 'read it, or remove it from the parameters; is its name the same in both?',
  }))
}

const startsWith = (path: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((part, i) => path[i] === part)

/** The parameters that tests set. */
function inTests(program: Program, tests: readonly ResolvedRule[]): readonly Param[] {
  const params: Param[] = []
  for (const rule of tests) {
    eachLiteral(rule, ({ withs }) => {
      for (const { target, value } of withs) {
        const path = paramPath(target)
        if (path !== undefined) params.push(...leaves(constant(program, value), path))
      }
    })
  }
  return params
}

/** The path of a reference below `data.params`. */
function paramPath(term: Term): readonly string[] | undefined {
  if (term.kind !== 'ref' || term.head.kind !== 'var' || term.head.name !== 'data') return undefined
  const [root, ...path] = term.path.map((part) =>
    part.kind === 'scalar' ? String(part.value) : undefined,
  )
  return root === 'params' && path.every((part) => part !== undefined) ? path : undefined
}

/** The value of a rule of the tests with one constant value. */
function constant({ tree }: Program, term: Term): Term {
  if (term.kind !== 'ref') return term
  const rules = nodeOf(tree, term)?.rules ?? []
  const value = rules.length === 1 ? rules[0]?.branches[0]?.value : undefined
  return value ?? term
}

function leaves(term: Term, path: readonly string[]): readonly Param[] {
  if (term.kind !== 'object') return path.length === 0 ? [] : [{ path, span: term.span }]
  return term.entries.flatMap(([key, value]) => {
    if (key.kind !== 'scalar') return []
    const below = [...path, String(key.value)]
    return value.kind === 'object' && value.entries.length > 0
      ? leaves(value, below)
      : [{ path: below, span: key.span }]
  })
}
