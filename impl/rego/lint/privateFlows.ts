import type { Builtin } from '../builtins/builtin.ts'
import { arityOf } from '../compile/calls.ts'
import { type DocNode, descendants } from '../compile/documents.ts'
import type { Program } from '../compile/program.ts'
import { isDataRef } from '../compile/references.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import { literalTerms, walkTerm } from '../compile/visit.ts'
import type { Call, Literal, Ref, Term } from '../syntax/ast.ts'
import { isComposite, type Scalar } from '../values/value.ts'
import { nodeOf } from './defined.ts'
import {
  applied,
  asDecision,
  asText,
  type Flow,
  flowFrom,
  includes,
  joined,
  NO_FLOW,
} from './flow.ts'
import { eachLiteral } from './literals.ts'
import { readsPrivacy } from './readsPrivacy.ts'

/**
 * Which values of a program are derived from private data: from the extensions that read it and from
 * `data.privacy`, through variables, rules and functions. Conditions are no derivation: that a deny rule
 * holds because of a birthdate does not make its reason private.
 */
export class PrivateFlows {
  private readonly program: Program
  private readonly nodes = new Map<DocNode, Flow>()

  constructor(program: Program) {
    this.program = program
    // Each node follows those that it depends on.
    for (const node of program.sorted) {
      const rules = node.default === undefined ? node.rules : [...node.rules, node.default]
      this.nodes.set(
        node,
        joined(rules.flatMap((rule) => this.outputs(rule).map(({ flow }) => flow))),
      )
    }
  }

  /** The values and members of a rule, and the variable parts of its path. */
  outputs(rule: ResolvedRule): readonly { readonly term: Term; readonly flow: Flow }[] {
    const inRule = new RuleFlows(this.program, this.nodes, rule)
    const terms = [...rule.rest, ...rule.branches.flatMap(({ member, value }) => [member, value])]
    return terms.flatMap((term) => (term === undefined ? [] : [{ term, flow: inRule.term(term) }]))
  }
}

class RuleFlows {
  private readonly program: Program
  private readonly nodes: ReadonlyMap<DocNode, Flow>
  private readonly locals = new Map<string, Flow>()
  private hasChanged = true

  constructor(program: Program, nodes: ReadonlyMap<DocNode, Flow>, rule: ResolvedRule) {
    this.program = program
    this.nodes = nodes
    rule.args?.forEach(({ name }, i) => {
      this.locals.set(name, flowFrom(i))
    })
    // A variable may get its flow from one that is bound later. Flows only grow, so this ends.
    while (this.hasChanged) {
      this.hasChanged = false
      eachLiteral(rule, (literal) => this.literal(literal))
    }
  }

  term(term: Term): Flow {
    switch (term.kind) {
      case 'scalar':
        return NO_FLOW
      case 'var':
        return this.locals.get(term.name) ?? NO_FLOW
      case 'array':
      case 'set':
        return this.all(term.items)
      case 'object':
        return this.all(term.entries.flat())
      case 'ref':
        return this.ref(term)
      case 'call':
        return this.call(term)
      case 'arrayComprehension':
      case 'setComprehension':
        return this.term(term.head)
      case 'objectComprehension':
        return this.all([term.key, term.value])
      case 'template':
        return asText(
          this.all(
            term.parts.flatMap((part) => (typeof part === 'string' ? [] : literalTerms(part))),
          ),
        )
    }
  }

  private all(terms: readonly Term[]): Flow {
    return joined(terms.map((term) => this.term(term)))
  }

  private ref(ref: Ref): Flow {
    const base = isDataRef(ref) ? this.document(ref) : this.term(ref.head)
    const flow = joined([base, this.all(ref.path)])
    // A variable of the path goes over the keys.
    for (const part of ref.path) this.bind(part, base)
    return flow
  }

  private document(ref: Ref): Flow {
    const flows = readsPrivacy(ref) ? [flowFrom('data.privacy')] : []
    const add = (node: DocNode): void => {
      flows.push(this.nodes.get(node) ?? NO_FLOW)
    }
    let node: DocNode | undefined = this.program.tree.root
    for (const part of ref.path) {
      if (part.kind !== 'scalar' || isComposite(part.value)) break
      node = node.children.get(part.value as Scalar)
      if (node === undefined) return joined(flows)
      add(node)
    }
    descendants(node, add)
    return joined(flows)
  }

  private call({ operator, args }: Call): Flow {
    const arity = arityOf(this.program, operator) ?? args.length
    const flows = args.slice(0, arity).map((arg) => this.term(arg))
    if (operator.kind === 'ref') {
      const node = nodeOf(this.program.tree, operator)
      return applied((node && this.nodes.get(node)) ?? NO_FLOW, flows)
    }
    const builtin = this.program.builtins.get(operator.name)
    return builtin === undefined ? joined(flows) : ofBuiltin(builtin, flows)
  }

  private literal(literal: Literal): void {
    const withs = this.all(literal.withs.map(({ value }) => value))
    const flowOf = (term: Term): Flow => joined([this.term(term), withs])
    switch (literal.kind) {
      case 'term':
        this.statement(literal.term, flowOf)
        break
      case 'someIn':
      case 'every':
        if (literal.key !== undefined) this.bind(literal.key, flowOf(literal.domain))
        this.bind(literal.value, flowOf(literal.domain))
        break
      default:
    }
  }

  private statement(term: Term, flowOf: (term: Term) => Flow): void {
    if (term.kind !== 'call') {
      flowOf(term)
      return
    }
    const { infix, args, operator } = term
    const [left, right] = args
    if ((infix === ':=' || infix === '=') && left !== undefined && right !== undefined) {
      const [a, b] = [flowOf(left), flowOf(right)]
      this.bind(left, b)
      if (infix === '=') this.bind(right, a)
      return
    }
    const flow = flowOf(term)
    const output = args[arityOf(this.program, operator) ?? args.length]
    if (output !== undefined) this.bind(output, flow)
  }

  /** The variables of a pattern get a flow. */
  private bind(pattern: Term, flow: Flow): void {
    walkTerm(pattern, (each) => {
      if (each.kind === 'var') this.add(each.name, flow)
      return each.kind === 'array' || each.kind === 'object'
    })
  }

  private add(name: string, flow: Flow): void {
    const before = this.locals.get(name) ?? NO_FLOW
    if (includes(before, flow)) return
    this.locals.set(name, joined([before, flow]))
    this.hasChanged = true
  }
}

function ofBuiltin({ name, reads, result }: Builtin, args: readonly Flow[]): Flow {
  const flow = joined(reads === undefined ? args : [...args, flowFrom(name)])
  if (result.kind === 'boolean') return asDecision(flow)
  return result.kind === 'string' ? asText(flow) : flow
}
