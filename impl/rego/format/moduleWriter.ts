import type {
  Body,
  ElseBranch,
  Head,
  Import,
  Literal,
  Module,
  Package,
  Rule,
  Term,
} from '../syntax/ast.ts'
import { isKeyword } from '../syntax/tokens.ts'
import { compareText, futureKeyword, importKey, keptImports } from './imports.ts'
import { LiteralWriter } from './literalWriter.ts'
import type { Places } from './places.ts'
import { quote } from './quote.ts'

/** A rule or one of its `else` branches. */
type Part = {
  /** The offset of its first token. */
  readonly at: number
  readonly body: Body
  /** The branches after it. */
  readonly elses: readonly ElseBranch[]
}

/** Writes a module in the style of `opa fmt` 1.2. */
export class ModuleWriter extends LiteralWriter {
  private readonly module: Module
  /** Whether `p.q` is written as such in the heads of rules; if no head needs it, as `p["q"]`. */
  private readonly hasLongHeads: boolean

  constructor(module: Module, places: Places) {
    super(places, module.comments)
    this.module = module
    this.hasLongHeads = module.rules.some(
      ({ head: { ref, member } }) => ref.path.length > (member === undefined ? 1 : 0),
    )
  }

  run(): string {
    const { package: pkg, imports, rules } = this.module
    this.package(pkg)
    const statements = [...keptImports(imports), ...rules].sort(
      (a, b) => a.span.start - b.span.start,
    )
    for (let i = 0; i < statements.length; ) {
      const group: Import[] = []
      for (let each = statements[i]; each?.kind === 'import'; each = statements[++i]) {
        group.push(each)
      }
      this.imports(group)
      for (let each = statements[i]; each?.kind === 'rule'; each = statements[++i]) {
        this.commentsTo(this.row(each.span.start))
        this.rule(each)
        this.blankLine()
      }
    }
    this.remainingComments()
    return this.text
  }

  private package({ path, span }: Package): void {
    this.commentsTo(this.row(span.start))
    this.startLine()
    this.write('package ')
    const [first, ...rest] = path.path
    const head = { kind: 'var', name: String(first?.kind === 'scalar' ? first.value : ''), span }
    this.ref({ ...path, head: head as Term, path: rest })
    this.blankLine()
  }

  /** Imports in groups that blank lines or other statements separate, each group sorted. */
  private imports(imports: readonly Import[]): void {
    const comments = this.takeBehind(imports)
    let group: Import[] = []
    imports.forEach((each, i) => {
      group.push(each)
      const next = imports[i + 1]
      if (next !== undefined && this.row(next.span.start) - this.row(each.span.start) <= 1) return
      this.importGroup(group, comments)
      group = []
    })
  }

  private importGroup(group: Import[], comments: ReadonlyMap<Import, string>): void {
    this.commentsTo(this.row((group[0] as Import).span.start))
    group.sort((a, b) => compareText(importKey(a), importKey(b)))
    for (const each of group) {
      this.startLine()
      this.write('import ')
      const keyword = futureKeyword(each)
      if (keyword === undefined) this.ref(each.path)
      else this.write(`future.keywords.${keyword}`)
      if (each.alias !== undefined) this.write(` as ${each.alias}`)
      const comment = comments.get(each)
      if (comment !== undefined) this.write(` ${comment}`)
      this.endLine()
    }
    this.blankLine()
  }

  private rule(rule: Rule): void {
    const { head, body, elses, isDefault, span } = rule
    const at = head.span.start
    this.startLine()
    if (isDefault) this.write('default ')
    const isConstant = elses.length === 0 && isTrue(body) && !isEntryOfTrue(rule)
    this.head(head)
    if (head.value !== undefined && hasValue(rule, head.value, isConstant)) {
      this.write(' := ')
      this.term(head.value)
    }
    if (isConstant) this.endLine()
    else this.ruleBody({ at, body, elses }, span.start)
  }

  private head({ ref, args, member, span }: Head): void {
    const [first, ...others] = ref.path
    const isKeywordName = ref.head.kind === 'var' && isKeyword(ref.head.name)
    if (first === undefined || others.length > 0 || this.hasLongHeads || isKeywordName) {
      this.ref(ref)
    } else {
      this.ref({ ...ref, path: [] })
      this.write('[')
      if (first.kind === 'scalar' && typeof first.value === 'string') this.write(quote(first.value))
      else this.term(first)
      this.write(']')
    }
    if (args !== undefined) {
      this.write('(')
      this.list(args.map(this.argument), span.start, this.places.closing(ref.span.end))
      this.write(')')
    }
    if (member === undefined) return
    this.write(' contains ')
    this.term(member)
  }

  /** @param start of the rule, or of the `else` branch */
  private ruleBody({ at, body, elses }: Part, start: number, isElse = false): void {
    const [first] = body
    if (first === undefined) {
      this.endLine()
      return
    }
    this.write(' if')
    const needs = needsBraces(first) || (isElse && first.span.text.startsWith('{'))
    if (body.length === 1 && !needs && this.row(first.span.start) === this.row(at)) {
      this.write(' ')
      this.literal(first)
      this.endLine()
    } else {
      this.write(' {')
      this.endLine()
      this.up()
      this.body(body, true)
      const open = this.places.opener('{', first.span.start)
      const close = open === undefined ? undefined : this.places.closing(open)
      if (close !== undefined) this.commentsTo(this.row(close))
      this.down()
      this.startLine()
      this.write('}')
    }
    this.elses(elses, start)
  }

  private elses([branch, ...rest]: readonly ElseBranch[], start: number): void {
    if (branch === undefined) return
    const at = branch.span.start
    const row = this.row(at)
    const wasInline = row > this.row(start) && !this.places.beginsLine(at)
    const isCommented = this.hasCommentAbove(row) || this.hasPending
    if (!isCommented && wasInline) {
      this.write(' ')
    } else {
      this.blankLine()
      this.startLine()
    }
    this.commentsTo(row)
    if (isCommented && !wasInline) this.startLine()
    this.write('else')
    const { value, body } = branch
    const isConstant = rest.length === 0 && isTrue(body)
    if (isConstant || !isTrueTerm(value)) {
      this.write(' := ')
      this.term(value, { row })
    }
    if (isConstant) {
      this.endLine()
      return
    }
    const [first] = body
    const isBraced = first !== undefined && this.places.opener('{', first.span.start) !== undefined
    const write = (): void => this.ruleBody({ at, body, elses: [] }, at, true)
    // A body without braces is one line.
    if (isBraced) write()
    else this.joining(row, write)
    this.elses(rest, at)
  }
}

const isTrueTerm = (term: Term): boolean => term.kind === 'scalar' && term.value === true

/** No body, or the body `true`, which is the same. */
function isTrue(body: Body): boolean {
  const [first, ...others] = body
  if (first === undefined) return true
  if (others.length > 0 || first.negated || first.withs.length > 0) return false
  return first.kind === 'term' && isTrueTerm(first.term)
}

const isGround = (term: Term): boolean => term.kind === 'scalar'

/** `p[x] if true`, which cannot be written without its body. */
const isEntryOfTrue = ({ head, body }: Rule): boolean =>
  head.assign === undefined &&
  head.member === undefined &&
  body.length > 0 &&
  head.ref.path.length === 1 &&
  !head.ref.path.every(isGround)

/** Whether a value is written: `true` only where something would be missing without it. */
function hasValue({ head, body, isDefault }: Rule, value: Term, isConstant: boolean): boolean {
  if (head.args !== undefined && head.assign === undefined && body.length === 0) return false
  if (!isTrueTerm(value) || isConstant || isDefault) return true
  const [key, ...others] = head.ref.path
  const isEntry = key !== undefined && others.length === 0 && head.args === undefined
  return isEntry && head.assign !== undefined && (body.length === 0 || !isGround(key))
}

/** `if {x}` is a body, not the set; `if not {x}` is one in newer Rego. */
const needsBraces = (first: Literal): boolean =>
  first.kind === 'term' &&
  first.term.kind === 'set' &&
  (first.negated || first.term.items.length > 0)
