import type { Value } from '../values/value.ts'

/** Token kinds: keywords and punctuation are their own kind. */
export type TokenKind =
  | 'eof'
  | 'identifier'
  | 'number'
  | 'string'
  | 'template'
  | 'templateText'
  | 'templateEnd'
  | 'templateOpen'
  | 'templateClose'
  | Keyword
  | Punctuation

export type Keyword =
  | 'as'
  | 'contains'
  | 'default'
  | 'else'
  | 'every'
  | 'false'
  | 'if'
  | 'import'
  | 'in'
  | 'not'
  | 'null'
  | 'package'
  | 'some'
  | 'true'
  | 'with'

export type Punctuation =
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | ','
  | ':'
  | ';'
  | '.'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '&'
  | '|'
  | '='
  | ':='
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='

const KEYWORDS: ReadonlySet<string> = new Set<Keyword>([
  'as',
  'contains',
  'default',
  'else',
  'every',
  'false',
  'if',
  'import',
  'in',
  'not',
  'null',
  'package',
  'some',
  'true',
  'with',
])

/** The longest keyword is `contains`. */
export const isKeyword = (text: string): text is Keyword => text.length <= 8 && KEYWORDS.has(text)

export type Token = {
  readonly kind: TokenKind
  readonly start: number
  readonly end: number
  /** Whether a line end precedes this token. */
  readonly newline: boolean
  /** The value of a string, number or piece of template text. */
  readonly value?: Value | undefined
}

const NAMES: Partial<Record<TokenKind, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '&': 'and',
  '|': 'or',
  '=': 'eq',
  ':=': 'assign',
  '==': 'equal',
  '!=': 'neq',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
  templateText: 'template string',
  template: 'template string',
  templateEnd: 'template string',
  templateOpen: '{',
  templateClose: '}',
}

/** The name of a token in errors: `assign token`, `some keyword`. */
export const describe = (kind: TokenKind): string =>
  isKeyword(kind) ? `${kind} keyword` : `${NAMES[kind] ?? kind} token`
