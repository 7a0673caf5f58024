import { StreamLanguage, type StringStream } from '@codemirror/language'

const keywords = new Set([
  ...['package', 'import', 'as', 'default', 'if', 'else', 'contains', 'some', 'every', 'in'],
  ...['not', 'with'],
])
const atoms = new Set(['true', 'false', 'null'])
const documents = new Set(['input', 'data'])

type State = { raw: boolean }

/** The kind of the next token of Rego, by the names of CodeMirror's tags. */
export function regoToken(stream: StringStream, state: State): string | null {
  if (state.raw) {
    state.raw = !stream.skipTo('`')
    if (state.raw) stream.skipToEnd()
    else stream.next()
    return 'string'
  }
  if (stream.eatSpace()) return null
  if (stream.match('#')) {
    stream.skipToEnd()
    return 'comment'
  }
  if (stream.match('`')) {
    state.raw = true
    return 'string'
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
  if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number'
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null
  if (word !== null) {
    if (keywords.has(word[0])) return 'keyword'
    if (atoms.has(word[0])) return 'atom'
    if (documents.has(word[0])) return 'variableName.special'
    return stream.match(/^(?:\.\w+)*\(/, false) ? 'variableName.function' : 'variableName'
  }
  if (stream.match(/^(?::=|==|!=|<=|>=|[-+*/%|&<>=])/)) return 'operator'
  stream.next()
  return 'punctuation'
}

/** Colours and comments of Rego; its errors come from the engine. */
export const rego = StreamLanguage.define<State>({
  name: 'rego',
  startState: () => ({ raw: false }),
  copyState: ({ raw }) => ({ raw }),
  token: regoToken,
  languageData: {
    commentTokens: { line: '#' },
    closeBrackets: { brackets: ['(', '[', '{', '"', '`'] },
  },
})
