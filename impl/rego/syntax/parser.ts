import { LimitError, RegoError } from '../errors.ts'
import { findAnnotations } from './annotations.ts'
import type {
  Body,
  Comment,
  ElseBranch,
  Head,
  Import,
  Literal,
  Module,
  Package,
  Ref,
  Rule,
  Scalar,
  Term,
} from './ast.ts'
import { variable } from './ast.ts'
import { MAX_CHAIN } from './cursor.ts'
import { checkDefault } from './defaults.ts'
import { checkImport } from './imports.ts'
import { lex } from './lexer.ts'
import { LiteralParser } from './literals.ts'
import { Source } from './source.ts'
import { isOperator } from './terms.ts'
import { isKeyword } from './tokens.ts'

/** Default maximum size of a source, in characters. */
export const MAX_SOURCE = 1_048_576

export type ParseOptions = { readonly maxSource?: number | undefined }

/**
 * Parses a Rego v1 module.
 *
 * @throws RegoError `rego_parse_error` with the location of the first error
 */
export const parseModule = (source: Source, options: ParseOptions = {}): Module =>
  guarded(source, options, (comments, parser) => parser.module(comments))

/** Parses a query: literals separated by `;` or line ends. @throws RegoError `rego_parse_error` */
export const parseQuery = (source: Source, options: ParseOptions = {}): Body =>
  guarded(source, options, (_, parser) => parser.query())

/** Parses a single term, which may be any expression. @throws RegoError `rego_parse_error` */
export const parseTerm = (text: string): Term =>
  guarded(new Source('', text), {}, (_, parser) => parser.single())

function guarded<T>(
  source: Source,
  options: ParseOptions,
  parse: (comments: readonly Comment[], parser: ModuleParser) => T,
): T {
  const limit = options.maxSource ?? MAX_SOURCE
  const start = { file: source.file, row: 1, col: 1 }
  if (source.text.length > limit) {
    const message = `source is longer than ${limit} characters`
    throw new RegoError('rego_parse_error', message, { location: start })
  }
  try {
    const { tokens, comments } = lex(source)
    return parse(comments, new ModuleParser(source, tokens))
  } catch (cause) {
    if (cause instanceof RegoError && !(cause instanceof LimitError)) throw cause
    // A stack overflow despite the nesting limit.
    throw new RegoError('rego_parse_error', 'source nests too deeply', { location: start, cause })
  }
}

class ModuleParser extends LiteralParser {
  query(): Body {
    const body = this.body('eof')
    return body
  }

  single(): Term {
    const term = this.expression(true)
    if (!this.at('eof')) this.unexpected()
    return term
  }

  module(comments: readonly Comment[]): Module {
    if (this.at('eof')) this.fail('empty module', 0)
    if (!this.at('package')) this.fail('package expected', this.token.start)
    const pkg = this.package()
    const imports: Import[] = []
    const rules: Rule[] = []
    while (!this.at('eof')) {
      if (!this.token.newline) this.unexpected('expected \\n')
      if (this.at('package')) this.fail('unexpected package keyword', this.token.start)
      if (this.at('import')) imports.push(this.import())
      else rules.push(...this.rule())
    }
    const annotations = findAnnotations(comments, [pkg, ...imports, ...rules])
    return { package: pkg, imports, rules, comments, annotations }
  }

  private package(): Package {
    const { start } = this.expect('package')
    const name = this.token
    const text = this.text(name)
    // As the head of a reference it is an identifier.
    if (isKeyword(text)) this.fail(`unexpected ${text} keyword`, name.start)
    if (name.kind !== 'identifier') this.unexpected('expected ident')
    this.advance()
    const first = this.string(name.start, text)
    const ref = this.reference(variable('data', first.span))
    const path = ref.kind === 'ref' ? [first, ...ref.path] : [first]
    if (
      ref.kind === 'call' ||
      path.some((p) => p.kind !== 'scalar' || typeof p.value !== 'string')
    ) {
      this.fail('package name cannot contain variables or calls', name.start)
    }
    const head = variable('data', first.span)
    const span = this.span(name.start)
    return {
      kind: 'package',
      path: { kind: 'ref', head, path, span },
      span: this.span(start),
    }
  }

  private string(start: number, value: string): Scalar {
    return { kind: 'scalar', value, span: this.span(start) }
  }

  private import(): Import {
    const { start } = this.expect('import')
    if (!this.at('identifier')) this.fail('expected ident', this.token.start)
    const head = this.variable()
    const term = this.reference(head)
    const path: Ref = term.kind === 'ref' ? term : { kind: 'ref', head, path: [], span: term.span }
    if (term.kind !== 'ref' && term.kind !== 'var') this.fail('unexpected import path', start)
    const isRenamed = this.accept('as')
    if (isRenamed && !this.at('identifier')) this.unexpected('expected var')
    const alias = isRenamed ? this.identifier() : undefined
    checkImport(path, alias, (message) => this.fail(message, path.span.start))
    return { kind: 'import', path, alias, span: this.span(start) }
  }

  /** A rule, with one more for each further body: `p if { … } { … }`. */
  private rule(): Rule[] {
    const { start } = this.token
    if (this.accept('default')) return [this.default(start)]
    const head = this.ruleHead()
    const written = head.assign !== undefined || head.member !== undefined
    let body: Body = []
    const hasBody = this.accept('if')
    if (hasBody) {
      body = this.ruleBody()
    } else if (this.at('{') && !this.token.newline) {
      this.fail('`if` keyword is required before rule body', this.token.start)
    } else if (!written) {
      // `f(1)`: refused later where the dialect does.
      if (!head.args?.length) this.fail(withoutBody(head), start)
    }
    const elses = this.elses(head, hasBody)
    const rule: Rule = { kind: 'rule', head, body, elses, isDefault: false, span: this.span(start) }
    const further = hasBody && elses.length === 0 ? this.furtherBodies(head) : []
    return [rule, ...further]
  }

  private furtherBodies(head: Head): Rule[] {
    const rules: Rule[] = []
    while (this.at('{')) {
      const { start } = this.token
      const body = this.braced()
      const span = this.span(start)
      rules.push({ kind: 'rule', head: { ...head, span }, body, elses: [], isDefault: false, span })
    }
    return rules
  }

  private ruleHead(): Head {
    const { start } = this.token
    if (!this.at('identifier')) this.unexpected()
    const name = this.variable()
    const path: Term[] = []
    while (this.adjacent && (this.at('.') || this.at('['))) {
      if (path.length > MAX_CHAIN) this.fail('rule name is too long', this.token.start)
      path.push(this.at('.') ? this.field() : this.bracket())
    }
    const ref: Ref = { kind: 'ref', head: name, path, span: this.span(name.span.start) }
    let args: Term[] | undefined
    if (this.adjacent && this.accept('(')) args = this.list(')')
    if (args?.length === 0 && name.name === 'set') this.fail('set() cannot be a rule', start)
    if (this.accept('contains')) {
      if (args !== undefined) this.fail('a function cannot be a partial set', start)
      const member = this.expression(true)
      if (this.at('=') || this.at(':=')) this.unexpected('expected `if` or end of rule')
      const span = this.span(start)
      return { ref, args, member, value: undefined, assign: undefined, span }
    }
    let assign: Head['assign']
    let value: Term = { kind: 'scalar', value: true, span: this.span(start) }
    if (this.at('=') || this.at(':=')) {
      assign = this.advance().kind as '=' | ':='
      value = this.expression(true)
    }
    return { ref, args, member: undefined, value, assign, span: this.span(start) }
  }

  private field(): Term {
    this.advance()
    const token = this.token
    if (token.kind !== 'identifier' && !isKeyword(token.kind)) {
      this.unexpected('expected identifier')
    }
    if (!this.adjacent) this.unexpected('expected identifier')
    this.advance()
    return this.string(token.start, this.text(token))
  }

  /**
   * The body after `if`: one literal, or literals in braces. A valid literal other than a set takes
   * precedence: an object, a comprehension (`{ x | y }`), a comparison of sets.
   */
  private ruleBody(): Body {
    if (!this.at('{') || this.peek().kind === '}') {
      const at = this.token.start
      const literal = this.literal()
      if (literal.negated && isSetLiteral(literal)) {
        // A set here, and a body in newer Rego. As a set it would never hold.
        this.fail('`not` before a body needs OPA 1.17 or later', at)
      }
      return [literal]
    }
    const start = this.save()
    const body = this.attempt(() => this.braced())
    const isCertain = !(body instanceof RegoError) && !mayBeComprehension(body) && this.atRuleEnd()
    if (isCertain) return body
    const end = this.save()
    this.restore(start)
    const literal = this.attempt(() => this.literal())
    if (!(literal instanceof RegoError) && !isSetLiteral(literal)) return [literal]
    if (body instanceof RegoError) {
      // The attempt that got further has the more useful error.
      throw literal instanceof RegoError && this.save() > end ? literal : body
    }
    this.restore(end)
    return body
  }

  private braced(): Body {
    this.expect('{')
    const body = this.body('}')
    this.expect('}')
    return body
  }

  private attempt<T>(parse: () => T): T | RegoError {
    const { depth } = this
    try {
      return parse()
    } catch (error) {
      this.depth = depth
      if (error instanceof RegoError) return error
      throw error
    }
  }

  private atRuleEnd(): boolean {
    const { kind, newline } = this.token
    // An operator continues the literal, also on the next line.
    const isStatement = newline && !isOperator(kind)
    return isStatement || kind === 'eof' || kind === 'else' || kind === '{'
  }

  /** @param conditional whether the rule has a body, without which no other branch is reached */
  private elses(head: Head, conditional: boolean): ElseBranch[] {
    const elses: ElseBranch[] = []
    let hasBody = conditional
    while (this.at('else')) {
      const { start } = this.token
      if (head.member !== undefined) {
        this.fail('else keyword cannot be used on partial rules', start)
      }
      if (!hasBody) this.unexpected()
      this.advance()
      let assign: ElseBranch['assign']
      let value: Term = { kind: 'scalar', value: true, span: this.span(start) }
      if (this.at('=') || this.at(':=')) {
        assign = this.advance().kind as '=' | ':='
        value = this.expression(true)
      }
      let body: Body = []
      hasBody = this.accept('if')
      if (hasBody) body = this.at('{') ? this.braced() : [this.literal()]
      else if (this.at('{')) {
        this.fail('`if` keyword is required before rule body', this.token.start)
      } else if (assign === undefined) {
        this.unexpected('expected else value term or `if`')
      }
      elses.push({ value, body, assign, span: this.span(start) })
    }
    return elses
  }

  private default(start: number): Rule {
    const head = this.ruleHead()
    checkDefault(head, (message, at) => this.fail(message, at))
    if (this.at('if') || (this.at('{') && !this.token.newline)) {
      this.fail('illegal default rule (cannot have a body)', this.token.start)
    }
    const body: Literal[] = []
    return { kind: 'rule', head, body, elses: [], isDefault: true, span: this.span(start) }
  }
}

function withoutBody({ ref, args }: Head): string {
  if (args !== undefined) return '`if` keyword is required before rule body'
  return ref.path.length === 1
    ? '`if` keyword or `contains` keyword is required for this rule'
    : ref.path.length === 0
      ? 'var cannot be used for rule name'
      : '`if` keyword is required before rule body'
}

const isSetLiteral = (literal: Literal): boolean =>
  literal.kind === 'term' && literal.term.kind === 'set'

/** Whether the first literal begins with `x | ...`, which in braces is a comprehension. */
function mayBeComprehension([first]: Body): boolean {
  let term = first?.kind === 'term' ? first.term : undefined
  while (term?.kind === 'call' && term.infix !== undefined) {
    if (term.infix === '|') return true
    term = term.args[0]
  }
  return false
}
