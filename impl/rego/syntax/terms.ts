import { typeName } from '../values/value.ts'
import {
  type Body,
  type Call,
  type Ref,
  type Scalar,
  type Term,
  type Var,
  variable,
} from './ast.ts'
import { Cursor, MAX_CHAIN } from './cursor.ts'
import { Span } from './source.ts'
import { isKeyword, type TokenKind } from './tokens.ts'

type Operator = { readonly name: string; readonly level: number }

/** The infix operators: their built-ins and precedence. */
const OPERATORS: Partial<Record<TokenKind, Operator>> = {
  '==': { name: 'equal', level: 1 },
  '!=': { name: 'neq', level: 1 },
  '<': { name: 'lt', level: 1 },
  '<=': { name: 'lte', level: 1 },
  '>': { name: 'gt', level: 1 },
  '>=': { name: 'gte', level: 1 },
  '|': { name: 'or', level: 2 },
  '&': { name: 'and', level: 3 },
  '+': { name: 'plus', level: 4 },
  '-': { name: 'minus', level: 4 },
  '*': { name: 'mul', level: 5 },
  '/': { name: 'div', level: 5 },
  '%': { name: 'rem', level: 5 },
}

/** Whether a token continues an expression. */
export const isOperator = (kind: TokenKind): boolean =>
  kind in OPERATORS || kind === '=' || kind === ':=' || kind === 'in'

/** Tokens that cannot begin a term, after a comma. */
const NO_TERM: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...(['eof', ']', '}', ')', ',', ';', ':', 'in', 'templateClose'] as const),
])

const MEMBER = 'internal.member_2'
const MEMBER_WITH_KEY = 'internal.member_3'

/** Parses terms. The bodies of comprehensions are parsed by the subclass. */
export abstract class TermParser extends Cursor {
  private wildcards = 0

  /** Literals up to `close` or, if given, `other`; neither is consumed. */
  protected abstract body(close: TokenKind, other?: TokenKind): Body
  protected abstract array(): Term
  protected abstract braces(): Term
  protected abstract template(): Term

  /**
   * A term with operators; `key, value in xs` only where commas are not separators (`keyValue`).
   */
  protected expression(keyValue: boolean): Term {
    this.enter()
    return this.leave(this.membership(this.operators(1), keyValue))
  }

  protected membership(first: Term, keyValue: boolean): Term {
    let left = first
    if (keyValue && this.at(',')) {
      const saved = this.save()
      this.advance()
      if (!this.startsTerm()) {
        this.restore(saved)
        return left
      }
      const value = this.operators(1)
      if (!this.at('in')) {
        this.restore(saved)
        return left
      }
      left = this.member(MEMBER_WITH_KEY, [left, value])
    }
    for (let length = 0; this.at('in'); length++) {
      if (length > MAX_CHAIN) this.fail('expression is too long', this.token.start)
      left = this.member(MEMBER, [left])
    }
    return left
  }

  private startsTerm(): boolean {
    const { kind } = this.token
    return !NO_TERM.has(kind)
  }

  private member(name: string, args: readonly Term[]): Call {
    const token = this.advance()
    const start = (args[0] as Term).span.start
    const domain = this.operators(1)
    return this.call(name, [...args, domain], 'in', token.start, start)
  }

  private operators(level: number): Term {
    return this.climb(this.primary(), level)
  }

  /** Precedence climbing: all operators with at least precedence `level`, left-associative. */
  protected climb(first: Term, level: number): Term {
    let left = first
    for (let length = 0; ; length++) {
      const token = this.token
      const operator = OPERATORS[token.kind]
      if (operator === undefined || operator.level < level) return left
      if (length > MAX_CHAIN) this.fail('expression is too long', token.start)
      this.advance()
      const right = this.operators(operator.level + 1)
      left = this.call(operator.name, [left, right], token.kind, token.start, left.span.start)
    }
  }

  protected call(
    name: string,
    args: readonly Term[],
    infix: string,
    at: number,
    start: number,
  ): Call {
    const span = new Span(this.source, at, at + infix.length)
    return { kind: 'call', operator: variable(name, span), args, infix, span: this.span(start) }
  }

  /** A term without operators, such as the head of a comprehension. */
  protected primary(): Term {
    this.enter()
    return this.leave(this.reference(this.head()))
  }

  private head(): Term {
    const token = this.token
    switch (token.kind) {
      case 'null':
      case 'true':
      case 'false':
        this.advance()
        return this.scalar(token.kind === 'null' ? null : token.kind === 'true', token.start)
      case 'number':
      case 'string':
        this.advance()
        return this.scalar(token.value as Scalar['value'], token.start)
      case '-':
        return this.negative()
      case 'identifier':
      // A keyword in the heads of rules only: elsewhere a name, such as that of the built-in.
      case 'contains':
        return this.variable()
      case 'template':
        return this.template()
      case '[':
        return this.array()
      case '{':
        return this.braces()
      case '(': {
        this.advance()
        const inner = this.expression(true)
        if (!this.at(')')) this.fail('non-terminated expression', this.token.start)
        this.advance()
        if (inner.kind === 'ref' && this.adjacent && (this.at('.') || this.at('[')))
          this.fail('illegal ref (head cannot be ref)', token.start)
        return inner
      }
      default:
        return this.unexpected()
    }
  }

  private scalar(value: Scalar['value'], start: number): Scalar {
    return { kind: 'scalar', value, span: this.span(start) }
  }

  private negative(): Term {
    const minus = this.advance()
    const token = this.token
    if (token.kind !== 'number') this.unexpected('expected number')
    this.advance()
    const value = token.value as number | bigint
    return this.scalar(value === 0 ? 0 : -value, minus.start)
  }

  protected variable(): Var {
    const token = this.advance()
    const text = this.text(token)
    const name = text === '_' ? `$${this.wildcards++}` : text
    return variable(name, this.span(token.start))
  }

  /** Anything that follows a head without a space makes it a reference or a call. */
  protected reference(head: Term): Term {
    let term = head
    /** The path of `term` if it is a reference created here, which can still be extended. */
    let path: Term[] | undefined
    for (let length = 0; this.adjacent; length++) {
      if (length > MAX_CHAIN) this.fail('reference is too long', this.token.start)
      const { kind } = this.token
      if (kind === 'number') this.unexpected('expected identifier')
      if (kind === '(' && (term.kind === 'var' || term.kind === 'ref')) {
        if (isEmptySet(term) && this.peek().kind === ')') {
          this.advance()
          this.advance()
          term = { kind: 'set', items: [], span: this.span(term.span.start) }
        } else {
          term = this.arguments(term)
        }
        path = undefined
        continue
      }
      if (kind !== '.' && kind !== '[') break
      if (term.kind === 'scalar' || term.kind === 'template') {
        const kind = term.kind === 'scalar' ? typeName(term.value) : 'string'
        this.fail(`illegal ref (head cannot be ${kind})`, term.span.start)
      }
      const element = kind === '.' ? this.dot() : this.bracket()
      const span = this.span(term.span.start)
      if (path !== undefined && term.kind === 'ref') {
        path.push(element)
        term = { kind: 'ref', head: term.head, path, span } satisfies Ref
        continue
      }
      path = term.kind === 'ref' ? [...term.path, element] : [element]
      term = { kind: 'ref', head: term.kind === 'ref' ? term.head : term, path, span } satisfies Ref
    }
    return term.kind === 'var' && (term.name === 'data' || term.name === 'input')
      ? { kind: 'ref', head: term, path: [], span: term.span }
      : term
  }

  private dot(): Term {
    this.advance()
    const token = this.token
    if (token.kind !== 'identifier' && !isKeyword(token.kind)) {
      this.unexpected('expected identifier')
    }
    if (!this.adjacent) this.fail('unexpected whitespace token: expected identifier', this.lastEnd)
    this.advance()
    return { kind: 'scalar', value: this.text(token), span: this.span(token.start) }
  }

  protected bracket(): Term {
    this.expect('[')
    const element = this.expression(true)
    this.expect(']')
    return element
  }

  private arguments(operator: Var | Ref): Call {
    this.expect('(')
    const args = this.list(')')
    return { kind: 'call', operator, args, infix: undefined, span: this.span(operator.span.start) }
  }

  /** Comma-separated terms up to `close`, which is consumed; a trailing comma is allowed. */
  protected list(close: TokenKind): Term[] {
    const items: Term[] = []
    while (!this.accept(close)) {
      items.push(this.expression(false))
      if (!this.at(close) && !this.accept(',')) this.unexpected(`expected "," or "${close}"`)
    }
    return items
  }
}

const isEmptySet = (term: Term): boolean => term.kind === 'var' && term.name === 'set'
