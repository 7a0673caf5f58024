import type { Body, Call, Comprehension, Ref, Scalar, Term } from '../syntax/ast.ts'
import { writtenName } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import { isKeyword } from '../syntax/tokens.ts'
import { CommentLayout } from './commentLayout.ts'
import { quote } from './quote.ts'

const NAME = /^[A-Za-z_]\w*$/

/** Behind its sign, there may be space and comments. */
const NUMBER = /[\d.]+(?:[eE][+-]?\d+)?$/

const isNameInRef = (text: string): boolean => NAME.test(text) && !isKeyword(text)

export const nameOf = (term: Term): string => String(term.kind === 'scalar' ? term.value : '')

/** Operators that `(a | b)` in a list must keep apart from a comprehension. */
const isUnion = (term: Term): term is Call => term.kind === 'call' && term.infix === '|'

const isInfix = (term: Term): term is Call => term.kind === 'call' && term.infix !== undefined

type Item = { readonly at: number; readonly write: () => void }

/** Writes terms. Lists that the author wrote on several lines have a line for each of these. */
export abstract class TermWriter extends CommentLayout {
  /**
   * Literals of a comprehension or of `every`, on the line of `start` or below it. `close` is the offset
   * of the bracket after them.
   */
  protected abstract innerBody(body: Body, start: number, close: number | undefined): void

  /** @param row of the comments to write before it, if not its own */
  protected term(term: Term, { parentheses = false, row = this.row(term.span.start) } = {}): void {
    this.commentsTo(row)
    this.resumeLine()
    switch (term.kind) {
      case 'scalar':
        this.write(scalarText(term))
        break
      case 'var':
        this.write(writtenName(term))
        break
      case 'ref':
        this.ref(term)
        break
      case 'array':
        this.enclosed('[', ']', term.span, term.items.map(this.item))
        break
      case 'set':
        if (term.items.length === 0) this.write('set()')
        else this.enclosed('{', '}', term.span, term.items.map(this.item))
        break
      case 'object':
        this.enclosed(
          '{',
          '}',
          term.span,
          term.entries.map((entry, i) => this.entry(entry, i === 0)),
        )
        break
      case 'call':
        this.call(term, parentheses)
        break
      case 'template':
        this.write(term.span.text)
        break
      default:
        this.comprehension(term)
    }
    this.resumeLine()
  }

  protected ref({ head, path }: Ref): void {
    this.term(head, { parentheses: isInfix(head) })
    // A keyword is a name only before a dot: `if.x`.
    const isKept = head.kind === 'var' && isKeyword(head.name)
    path.forEach((part, i) => {
      if (isKept && i === 0) this.write(`.${nameOf(part)}`)
      else this.refPart(part)
    })
  }

  private refPart(part: Term): void {
    if (part.kind === 'scalar' && typeof part.value === 'string') {
      // A keyword behind a dot stays there: `lists.contains(x)`. OPA 1.2 would not parse the module.
      const isName = isNameInRef(part.value) || part.span.text === part.value
      this.write(isName ? `.${part.value}` : `[${quote(part.value)}]`)
    } else if (part.kind === 'var') {
      this.write(`[${writtenName(part)}]`)
    } else {
      this.write('[')
      this.term(part)
      this.write(']')
    }
  }

  private call(call: Call, parentheses: boolean): void {
    if (!isInfix(call)) {
      this.plainCall(call)
      return
    }
    // `k, v in xs` would be two items, and `in` binds weaker than everything around it.
    const enclosed = parentheses || call.args.length === 3
    if (enclosed) this.write('(')
    this.infix(call)
    if (enclosed) this.write(')')
  }

  /** A call of an operator; calls of operators in it have parentheses, whatever their precedence. */
  private infix(call: Call): void {
    const { args, infix } = call
    const nested = args.map((arg, i) => ({ arg, parentheses: !(i === 0 && isChained(call)) }))
    nested.forEach(({ arg, parentheses }, i) => {
      if (i > 0) this.write(i === args.length - 1 ? ` ${infix} ` : ', ')
      this.term(arg, { parentheses })
    })
  }

  /**
   * A call that is a statement: its operands need no parentheses.
   *
   * @param isFirst behind a brace, where `a | b` would begin a comprehension
   */
  protected statementCall(call: Call, isFirst: boolean): void {
    const { args, infix } = call
    if (infix === undefined) this.plainCall(call)
    else if (isFirst && isUnion(call)) this.term(call, { parentheses: true })
    else if (infix === 'in') this.infix(call)
    else {
      args.forEach((arg, i) => {
        if (i > 0) this.write(` ${infix} `)
        const isHead = isFirst && i === 0 && isUnion(arg)
        this.term(arg, { parentheses: isHead || needsParentheses(call, i) })
      })
    }
  }

  private plainCall({ operator, args, span }: Call): void {
    if (operator.kind === 'var') this.write(operator.name)
    else this.ref(operator)
    this.write('(')
    this.list(args.map(this.argument), span.start, this.places.closing(operator.span.end))
    this.write(')')
  }

  private comprehension(term: Comprehension): void {
    const isArray = term.kind === 'arrayComprehension'
    const row = this.row(term.span.start)
    this.write(isArray ? '[' : '{')
    let head = term.kind === 'objectComprehension' ? term.key : term.head
    let { start } = head.span
    if (term.kind === 'objectComprehension') {
      if (this.row(start) - row > 1) {
        this.endLine()
        this.startLine()
      }
      this.term(term.key)
      this.write(': ')
      start = term.key.span.start
      head = term.value
    }
    if (this.row(start) > row) {
      this.endLine()
      this.startLine()
    }
    this.term(head, { parentheses: isInfix(head), row: this.row(start) })
    this.write(' |')
    this.innerBody(term.body, start, term.span.end - 1)
    this.write(isArray ? ']' : '}')
  }

  protected argument = (term: Term): Item => ({
    at: term.span.start,
    write: () => this.listed(term),
  })

  private item = (term: Term, index: number): Item => ({
    at: term.span.start,
    write: () => this.listed(term, index === 0),
  })

  private entry([key, value]: readonly [Term, Term], isFirst: boolean): Item {
    const write = (): void => {
      this.listed(key, isFirst)
      this.write(': ')
      this.listed(value, isFirst)
    }
    return { at: key.span.start, write }
  }

  /** @param isFirst of a collection: there `(a & b) | c` would begin a comprehension */
  private listed(term: Term, isFirst = false): void {
    const isRead = isFirst && isUnion(term) && isInfix(term.args[0] as Term)
    const parentheses = isRead || (isUnion(term) && this.places.beginsWithParenthesis(term.span))
    if (parentheses) this.write('(')
    this.term(term)
    if (parentheses) this.write(')')
  }

  private enclosed(open: string, close: string, span: Span, items: readonly Item[]): void {
    this.write(open)
    this.list(items, span.start, span.end - 1)
    this.write(close)
  }

  /** Items, on one line or on as many as the author used; `close` is the offset of the bracket. */
  protected list(items: readonly Item[], start: number, close: number | undefined): void {
    const lines = this.grouped(items, start)
    const isLong = lines.length > 1
    if (isLong) {
      this.delayPending()
      this.endLine()
      this.up()
      this.startLine()
    }
    lines.forEach((line, i) => {
      if (i > 0) {
        this.write(',')
        this.endLine()
        this.startLine()
      }
      line.forEach(({ write }, j) => {
        if (j > 0) this.write(', ')
        write()
      })
    })
    if (!isLong) return
    this.write(',')
    this.endLine()
    if (close !== undefined) this.commentsTo(this.row(close))
    this.down()
    this.startLine()
  }

  /** Groups nodes by line. The first of them never begins a line of its own. */
  protected grouped<T extends { readonly at: number }>(items: readonly T[], start: number): T[][] {
    const lines: T[][] = [[]]
    let last = this.row(start)
    items.forEach((item, i) => {
      const row = this.row(item.at)
      if (row > last && i > 0) lines.push([])
      last = row
      lines.at(-1)?.push(item)
    })
    return lines
  }
}

/** Longer chains of operators have no parentheses, which the parser could not nest so deeply. */
const LONGEST_NESTED = 30

/** Whether the first operand, a call of an operator as well, is written without parentheses. */
function isChained({ args, infix }: Call): boolean {
  const [first] = args
  if (first === undefined || !isInfix(first) || first.args.length === 3) return false
  if (infix === 'in') return args.length === 2 && first.infix === 'in'
  let length = 0
  for (let each: Term = first; isInfix(each) && sameLevel(each, infix); length++) {
    each = each.args[0] as Term
  }
  return length > LONGEST_NESTED
}

const sameLevel = ({ infix }: Call, other: string | undefined): boolean =>
  precedence(infix) === precedence(other)

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])

/** Whether an operand of a statement would be read differently without parentheses. */
function needsParentheses(call: Call, index: number): boolean {
  const operand = call.args[index] as Term
  if (!isInfix(operand) || call.infix === ':=' || call.infix === '=') return false
  return precedence(operand.infix) < precedence(call.infix) + (index === 0 ? 0 : 1)
}

function precedence(infix = ''): number {
  if (infix === 'in') return 0
  if (COMPARISONS.has(infix)) return 1
  return ['|', '&', '+-', '*/%'].findIndex((each) => each.includes(infix)) + 2
}

function scalarText({ value, span }: Scalar): string {
  if (typeof value === 'string') return span.text.startsWith('`') ? span.text : quote(value)
  // As written: `1.0` and `1e3` are the same number in another form.
  if (typeof value === 'number' || typeof value === 'bigint') {
    const sign = span.text.startsWith('-') ? '-' : ''
    return `${sign}${NUMBER.exec(span.text)?.[0] ?? String(value)}`
  }
  return String(value)
}
