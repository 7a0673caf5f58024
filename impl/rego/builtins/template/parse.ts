import { GoNumber, type Maybe, problem } from './values.ts'

/** A value in an action: a constant, a path from `.` or a variable, or a call in parentheses. */
export type Operand =
  | { readonly kind: 'constant'; readonly value: Maybe }
  | {
      readonly kind: 'path'
      readonly variable: string | undefined
      readonly fields: readonly string[]
    }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }

/** A command: one operand, or a function with operands. */
export type Command = { readonly name: string | undefined; readonly operands: readonly Operand[] }

/** A pipeline: each command receives the result of the previous one as its last operand. */
export type Pipeline = {
  /** Variables that are assigned the result: one, or two in a range. */
  readonly variables: readonly string[]
  readonly commands: readonly Command[]
}

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'range' | 'with'
      readonly pipeline: Pipeline
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }

const TOKEN =
  /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|[$][\w]*|(?:\.\w+)+|\.|'(?:[^'\\]|\\.)'|-?\d[\w.+-]*|\w+|:=|,|\||\(|\))/y

const MAX_NESTED = 100

/**
 * The subset of Go's text/template without named templates: actions, if, range, with, pipelines.
 */
export const parseTemplate = (source: string): readonly Node[] => new Parser(source).parse()

class Parser {
  private readonly pieces: (string | readonly string[])[] = []
  private at = 0

  constructor(source: string) {
    let from = 0
    let trim = false
    for (let open = source.indexOf('{{'); open >= 0; open = source.indexOf('{{', from)) {
      const close = source.indexOf('}}', open)
      if (close < 0) throw problem('unclosed action')
      const action = source.slice(open + 2, close)
      this.text(source.slice(from, open), trim, action.startsWith('- '))
      trim = action.endsWith(' -')
      from = close + 2
      const inner = action.replace(/^- /, '').replace(/ -$/, '').trim()
      if (!(inner.startsWith('/*') && inner.endsWith('*/'))) this.pieces.push(tokens(inner))
    }
    this.text(source.slice(from), trim, false)
  }

  private text(text: string, trimStart: boolean, trimEnd: boolean): void {
    const left = trimStart ? text.trimStart() : text
    const kept = trimEnd ? left.trimEnd() : left
    if (kept !== '') this.pieces.push(kept)
  }

  parse(): readonly Node[] {
    const nodes = this.nodes(0)
    if (this.at < this.pieces.length) throw problem('unexpected {{end}}')
    return nodes
  }

  private nodes(depth: number): readonly Node[] {
    if (depth > MAX_NESTED) throw problem('nests too deeply')
    const nodes: Node[] = []
    for (; this.at < this.pieces.length; ) {
      const piece = this.pieces[this.at] as string | readonly string[]
      if (typeof piece === 'string') {
        this.at++
        nodes.push({ kind: 'text', text: piece })
        continue
      }
      const [word = ''] = piece
      if (word === 'end' || word === 'else') return nodes
      this.at++
      if (word === 'if' || word === 'range' || word === 'with') {
        nodes.push(this.block(word, piece.slice(1), depth))
      } else nodes.push({ kind: 'print', pipeline: pipelineOf(piece) })
    }
    return nodes
  }

  private block(kind: 'if' | 'range' | 'with', words: readonly string[], depth: number): Node {
    const pipeline = pipelineOf(words)
    const body = this.nodes(depth + 1)
    const next = this.pieces[this.at++]
    if (next === undefined || typeof next === 'string') throw problem('unexpected EOF')
    if (next[0] === 'end') return { kind, pipeline, body, otherwise: [] }
    if (next[1] === 'if' || next[1] === 'with') {
      const chained = this.block(next[1], next.slice(2), depth + 1)
      return { kind, pipeline, body, otherwise: [chained] }
    }
    const otherwise = this.nodes(depth + 1)
    if (this.pieces[this.at++]?.[0] !== 'end') throw problem('expected {{end}}')
    return { kind, pipeline, body, otherwise }
  }
}

const NO_OPERAND = /^(?:[(|,]|:?=|if|else|range|with|end)$/

function tokens(action: string): readonly string[] {
  const found: string[] = []
  TOKEN.lastIndex = 0
  const text = action.trim()
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null)
      throw problem(`unexpected ${JSON.stringify(text.slice(at, at + 10))} in action`)
    // A field after a variable belongs to the variable.
    const word = match[1] ?? ''
    const last = found.at(-1)
    // An operand ends at a space, or one of these signs.
    const isField = /^\.\w/.test(word) && /^[$)]/.test(last ?? '')
    if (last !== undefined && !NO_OPERAND.test(last) && !isField && /^[^\s,|:=)]/.test(match[0])) {
      throw problem(`unexpected ${JSON.stringify(word)} in operand`)
    }
    if (/^\.\w/.test(word) && last?.startsWith('$') && !/^\s/.test(match[0])) {
      found[found.length - 1] = last + word
    } else found.push(word)
  }
  return found
}

function pipelineOf(words: readonly string[]): Pipeline {
  const assign = words.indexOf(':=')
  const variables = words.slice(0, Math.max(assign, 0)).filter((word) => word !== ',')
  if (variables.length > 2 || variables.some((name) => !/^[$]\w+$/.test(name))) {
    throw problem('bad variable declaration')
  }
  const reader = new Words(words.slice(assign + 1))
  const commands = reader.commands()
  if (!reader.isDone) throw problem('unexpected ) in action')
  return { variables, commands }
}

class Words {
  private readonly words: readonly string[]
  private at = 0

  constructor(words: readonly string[]) {
    this.words = words
  }

  get isDone(): boolean {
    return this.at >= this.words.length
  }

  commands(): readonly Command[] {
    const commands = [this.command()]
    while (this.words[this.at] === '|') {
      this.at++
      commands.push(this.command())
    }
    return commands
  }

  private command(): Command {
    const first = this.words[this.at]
    const name = first !== undefined && isName(first) ? first : undefined
    if (name !== undefined) this.at++
    const operands: Operand[] = []
    for (let word = this.words[this.at]; word !== undefined; word = this.words[this.at]) {
      if (word === '|' || word === ')') break
      this.at++
      operands.push(this.operand(word))
    }
    if (name === undefined && operands.length !== 1) throw problem('missing value for command')
    if (name === undefined && operands[0]?.kind === 'constant' && operands[0].value === null) {
      throw problem('nil is not a command')
    }
    return { name, operands }
  }

  private operand(word: string): Operand {
    if (word === '(') {
      const commands = this.commands()
      if (this.words[this.at++] !== ')') throw problem('unclosed left paren')
      return { kind: 'pipeline', pipeline: { variables: [], commands } }
    }
    const constant = constantOf(word)
    if (constant !== undefined) return { kind: 'constant', value: constant }
    if (/^[$.]/.test(word)) {
      const [variable = '', ...fields] = word.split('.')
      return {
        kind: 'path',
        variable: word.startsWith('$') ? variable : undefined,
        fields: fields.filter((field) => field !== ''),
      }
    }
    throw problem(`function ${JSON.stringify(word)} not defined`)
  }
}

const isName = (word: string): boolean =>
  /^[a-zA-Z_]\w*$/.test(word) && constantOf(word) === undefined

function constantOf(word: string): Maybe {
  if (word === 'true' || word === 'false') return word === 'true'
  if (word === 'nil') return null
  if (word.startsWith('`')) return word.slice(1, -1)
  if (word.startsWith('"')) {
    try {
      return JSON.parse(word) as string
    } catch {
      throw problem(`bad string ${word}`)
    }
  }
  return numberOf(word)
}

/** As Go's `strconv.ParseInt` with base 0: a leading zero is octal. */
const WHOLE = /^(?:0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/

/** A whole number, one with a fraction or an exponent, or the code of a character. */
function numberOf(word: string): GoNumber | undefined {
  if (word.startsWith("'")) return new GoNumber(characterOf(word).codePointAt(0)!)
  if (!/^-?\d/.test(word)) return undefined
  const digits = word.replace(/^-/, '').replaceAll('_', '')
  const sign = word.startsWith('-') ? -1 : 1
  if (WHOLE.test(digits)) return new GoNumber(sign * Number(digits.replace(/^0(?=\d)/, '0o')))
  if (/^\d+(?=[.eE])(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(digits))
    return new GoNumber(sign * Number(digits), 'float64')
  throw problem(`bad number syntax: ${JSON.stringify(word)}`)
}

function characterOf(word: string): string {
  const inner = word.slice(1, -1)
  try {
    return inner === "\\'" ? "'" : (JSON.parse(`"${inner === '"' ? '\\"' : inner}"`) as string)
  } catch {
    throw problem(`malformed character constant: ${word}`)
  }
}
