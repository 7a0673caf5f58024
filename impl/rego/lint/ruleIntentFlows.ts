import { arityOf } from '../compile/calls.ts'
import { type DocNode, descendants } from '../compile/documents.ts'
import type { Program } from '../compile/program.ts'
import { isDataRef } from '../compile/references.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import { isComprehension, literalTerms, walkTerm } from '../compile/visit.ts'
import type { Body, Call, Literal, Ref, Term } from '../syntax/ast.ts'
import { isComposite, type Scalar } from '../values/value.ts'
import { nodeOf } from './defined.ts'
import {
  appliedIntent,
  comparedWithEmpty,
  type IntentFlow,
  joinedIntent,
  memberFlow,
  NO_INTENT,
} from './intentFlow.ts'
import { eachLiteral } from './literals.ts'

/** What a document depends on. */
export type NodeFlow = {
  /** Of the conditions under which the document has a value, or any member. */
  readonly exists: IntentFlow
  /** Of its value or members as well. */
  readonly value: IntentFlow
}

const NO_NODE: NodeFlow = { exists: NO_INTENT, value: NO_INTENT }

/** What the variables, terms and conditions of a rule depend on. */
export class RuleIntentFlows {
  private readonly program: Program
  private readonly nodes: ReadonlyMap<DocNode, NodeFlow>
  private readonly locals = new Map<string, IntentFlow>()
  private hasChanged = true

  constructor(program: Program, nodes: ReadonlyMap<DocNode, NodeFlow>, rule: ResolvedRule) {
    this.program = program
    this.nodes = nodes
    rule.args?.forEach(({ name }, i) => {
      this.locals.set(name, new Set([`@${i}`]))
    })
    // A variable may get its flow from one that is bound later. Flows only grow, so this ends.
    while (this.hasChanged) {
      this.hasChanged = false
      eachLiteral(rule, (literal) => this.bindings(literal))
    }
  }

  /** The flows of the literals of a body that may not hold. */
  conditions(body: Body): readonly IntentFlow[] {
    return body.flatMap((literal) => {
      const flow = this.condition(literal)
      return flow === undefined ? [] : [this.replaced(literal, flow)]
    })
  }

  term(term: Term): IntentFlow {
    switch (term.kind) {
      case 'scalar':
        return NO_INTENT
      case 'var':
        return term.name === 'input'
          ? new Set(['input'])
          : (this.locals.get(term.name) ?? NO_INTENT)
      case 'array':
      case 'set':
        return this.parts(term.items)
      case 'object':
        return this.parts(term.entries.flat())
      case 'ref':
        return this.ref(term)
      case 'call':
        return this.call(term)
      case 'arrayComprehension':
      case 'setComprehension':
        return joinedIntent([this.parts([term.head]), ...this.conditions(term.body)])
      case 'objectComprehension':
        return joinedIntent([this.parts([term.key, term.value]), ...this.conditions(term.body)])
      case 'template':
        return this.parts(
          term.parts.flatMap((part) => (typeof part === 'string' ? [] : literalTerms(part))),
        )
    }
  }

  /** A value made of others: what is read of it later is not followed. */
  private parts(terms: readonly Term[]): IntentFlow {
    return memberFlow(joinedIntent(terms.map((term) => this.term(term))))
  }

  private ref(ref: Ref): IntentFlow {
    const base = isDataRef(ref) ? this.document(ref) : this.member(ref)
    // A variable of the path goes over the keys.
    for (const part of ref.path) this.bind(part, base)
    return joinedIntent([base, this.parts(ref.path)])
  }

  private member({ head, path: [first] }: Ref): IntentFlow {
    const flow = this.term(head)
    return first === undefined ? flow : memberFlow(flow, constantOf(first))
  }

  private document(ref: Ref): IntentFlow {
    const flows: IntentFlow[] = []
    let node: DocNode | undefined = this.program.tree.root
    const add = (each: DocNode): void => {
      flows.push(this.nodes.get(each)?.value ?? NO_INTENT)
    }
    for (const [i, part] of ref.path.entries()) {
      if (part.kind !== 'scalar' || isComposite(part.value)) break
      node = node.children.get(part.value as Scalar)
      if (node === undefined) return joinedIntent(flows)
      const next = ref.path[i + 1]
      const isLeaf = node.kind !== undefined && node.children.size === 0
      // A rule may be another name of the input: `intent := input`.
      if (isLeaf) {
        const flow = this.nodes.get(node)?.value ?? NO_INTENT
        return next === undefined ? flow : memberFlow(flow, constantOf(next))
      }
      if (node.kind !== undefined) add(node)
    }
    descendants(node, add)
    return joinedIntent(flows)
  }

  private call({ operator, args, infix }: Call): IntentFlow {
    const arity = arityOf(this.program, operator) ?? args.length
    const inputs = args.slice(0, arity)
    const flows = inputs.map((arg) => this.term(arg))
    if (operator.kind === 'ref') {
      const node = nodeOf(this.program.tree, operator)
      return appliedIntent((node && this.nodes.get(node)?.value) ?? NO_INTENT, flows)
    }
    const [first = NO_INTENT, second = NO_INTENT] = flows
    if (operator.name.startsWith('is_')) return NO_INTENT
    if (operator.name === 'count') return inputs[0] === undefined ? NO_INTENT : this.size(inputs[0])
    if (operator.name === 'object.get') {
      const key = inputs[1] && constantOf(inputs[1])
      return joinedIntent([memberFlow(first, key), ...flows.slice(1)])
    }
    const all = memberFlow(joinedIntent(flows))
    if (infix !== '==' && infix !== '=' && infix !== '!=') return all
    if (isSignatureOfSender(first, second) || isSignatureOfSender(second, first)) {
      return new Set([...all].filter((origin) => !SIGNED.has(origin)))
    }
    return inputs.some((arg) => this.isEmptyCalldata(arg)) ? comparedWithEmpty(all) : all
  }

  /** How many members a document has depends on their conditions; how long a text is restricts nothing. */
  private size(term: Term): IntentFlow {
    if (isComprehension(term)) return joinedIntent(this.conditions(term.body))
    if (term.kind !== 'ref' || !isDataRef(term)) return NO_INTENT
    return this.nodeFlow(term).exists
  }

  private nodeFlow(ref: Ref): NodeFlow {
    const node = nodeOf(this.program.tree, ref)
    return (node && this.nodes.get(node)) ?? NO_NODE
  }

  /** `"0x"`, or a rule with this value. */
  private isEmptyCalldata(term: Term): boolean {
    if (term.kind === 'scalar') return term.value === '0x'
    if (term.kind !== 'ref') return false
    const [rule, ...others] = nodeOf(this.program.tree, term)?.rules ?? []
    const value = rule?.branches[0]?.value
    return others.length === 0 && value?.kind === 'scalar' && value.value === '0x'
  }

  /** The flow by which a literal may not hold; undefined for one that only names a value. */
  private condition(literal: Literal): IntentFlow | undefined {
    switch (literal.kind) {
      case 'some':
        return undefined
      case 'someIn':
        return joinedIntent([
          this.definedness(literal.domain),
          this.parts(patternsOf([literal.key, literal.value])),
        ])
      case 'every':
        return joinedIntent([this.definedness(literal.domain), ...this.conditions(literal.body)])
      case 'term': {
        const { term, negated } = literal
        if (term.kind === 'ref' && !negated && isMemberOfInput(term)) return NO_INTENT
        if (!isAssignment(term)) return this.term(term)
        const [left, right] = term.args
        const parts = left === undefined ? [] : patternsOf([left])
        const defined = right === undefined ? NO_INTENT : this.definedness(right)
        // A constant in a pattern is compared.
        return parts.length === 0 && defined.size === 0
          ? undefined
          : joinedIntent([defined, ...(parts.length === 0 ? [] : [this.parts(term.args)])])
      }
    }
  }

  /** By what a term may be undefined: look-ups, and rules and functions that may not hold. */
  private definedness(term: Term): IntentFlow {
    const flows: IntentFlow[] = []
    walkTerm(term, (each) => {
      if (each.kind === 'ref') {
        flows.push(this.parts(each.path))
        if (isDataRef(each)) flows.push(this.nodeFlow(each).exists)
      }
      if (each.kind === 'call' && each.operator.kind === 'ref') {
        const args = each.args.map((arg) => this.term(arg))
        flows.push(appliedIntent(this.nodeFlow(each.operator).exists, args))
      }
      return !isComprehension(each)
    })
    return joinedIntent(flows)
  }

  /** `with input as x`: what the literal reads of the input, it reads of x. */
  private replaced({ withs }: Literal, flow: IntentFlow): IntentFlow {
    if (withs.length === 0) return flow
    const isReplaced = withs.some(({ target }) => isInput(target))
    const rest = isReplaced ? [...flow].filter((origin) => !origin.startsWith('input')) : flow
    return joinedIntent([new Set(rest), this.parts(withs.map(({ value }) => value))])
  }

  /** Variables that a literal binds get their flow. */
  private bindings(literal: Literal): void {
    if (literal.kind === 'someIn' || literal.kind === 'every') {
      const flow = memberFlow(this.term(literal.domain))
      if (literal.key !== undefined) this.bind(literal.key, flow)
      this.bind(literal.value, flow)
      return
    }
    if (literal.kind !== 'term') return
    const { term } = literal
    const flow = this.replaced(literal, this.term(term))
    if (term.kind !== 'call') return
    const [left, right] = term.args
    if ((term.infix === ':=' || term.infix === '=') && left !== undefined && right !== undefined) {
      const [a, b] = [left, right].map((each) => this.replaced(literal, this.term(each)))
      this.bind(left, b ?? NO_INTENT)
      if (term.infix === '=') this.bind(right, a ?? NO_INTENT)
      return
    }
    const output = term.args[arityOf(this.program, term.operator) ?? term.args.length]
    if (output !== undefined) this.bind(output, flow)
  }

  private bind(pattern: Term, flow: IntentFlow): void {
    const ofPart = pattern.kind === 'var' ? flow : memberFlow(flow)
    walkTerm(pattern, (each) => {
      if (each.kind === 'var' && !isInputVar(each)) this.add(each.name, ofPart)
      return each.kind === 'array' || each.kind === 'object'
    })
  }

  private add(name: string, flow: IntentFlow): void {
    const before = this.locals.get(name) ?? NO_INTENT
    if ([...flow].every((origin) => before.has(origin))) return
    this.locals.set(name, joinedIntent([before, flow]))
    this.hasChanged = true
  }
}

function constantOf(term: Term): string | undefined {
  if (term.kind === 'array') return term.items[0] && constantOf(term.items[0])
  return term.kind === 'scalar' && typeof term.value === 'string' ? term.value : undefined
}

const isInput = (term: Term): boolean =>
  term.kind === 'ref' ? term.path.length === 0 && isInput(term.head) : isInputVar(term)

const isInputVar = (term: Term): boolean => term.kind === 'var' && term.name === 'input'

const isAssignment = (term: Term): term is Call => term.kind === 'call' && term.infix === ':='

/** `input.to` alone: whether there is one restricts nothing. */
const isMemberOfInput = ({ head, path }: Ref): boolean =>
  isInputVar(head) && path.every((part) => part.kind === 'scalar')

/** The patterns among terms, which compare as well as bind. */
const patternsOf = (terms: readonly (Term | undefined)[]): readonly Term[] =>
  terms.filter((term) => term !== undefined).filter((term) => term.kind !== 'var')

const SIGNED: ReadonlySet<string> = new Set(['input.to', 'input.intent_digest'])

/** Senders sign every intent of their own: that the signer is the sender restricts no target. */
const isSignatureOfSender = (signer: IntentFlow, sender: IntentFlow): boolean =>
  signer.has('input.intent_signature') && sender.size === 1 && sender.has('input.from')
