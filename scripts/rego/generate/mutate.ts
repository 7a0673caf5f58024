import type { Choices } from './choices.ts'

const TOKEN = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|[A-Za-z_]\w*|\d+|:=|==|!=|<=|>=|\s+|[^\s\w]/g

/** Tokens that a mutation may put anywhere. */
const WORDS = [
  'not',
  'some',
  'every',
  'in',
  'with',
  'as',
  'if',
  'else',
  'default',
  'contains',
  'import',
  'package',
]
const SIGNS = [
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ',',
  ';',
  ':',
  ':=',
  '=',
  '==',
  '|',
  '.',
  '_',
  '-',
  '\n',
  '"',
  '`',
  '#',
  '$"',
]
const ODD = [
  '__proto__',
  'constructor',
  '1e400',
  '0x1',
  '\u0000',
  '\ud800',
  '😀',
  '9007199254740993',
  'data',
  'input',
  'set()',
]

/** Changes a text of Rego: tokens go, come twice, swap or come from elsewhere; or single bytes. */
export function mutate(choices: Choices, text: string, other: string): string {
  let tokens = text.match(TOKEN) ?? []
  for (let times = 1 + choices.below(4); times > 0 && tokens.length > 0; times--) {
    const at = choices.below(tokens.length)
    const to = choices.below(tokens.length)
    const token = tokens[at] as string
    switch (choices.below(8)) {
      case 0:
        tokens.splice(at, 1 + choices.below(3))
        break
      case 1:
        tokens.splice(to, 0, token)
        break
      case 2:
        tokens[at] = tokens[to] as string
        tokens[to] = token
        break
      case 3:
        tokens[at] = choices.one([...WORDS, ...SIGNS, ...ODD])
        break
      case 4:
        tokens.splice(at, 0, choices.one([...WORDS, ...SIGNS, ...ODD]))
        break
      case 5: {
        const from = other.match(TOKEN) ?? []
        const start = choices.below(Math.max(1, from.length))
        tokens.splice(at, 0, ...from.slice(start, start + 1 + choices.below(20)))
        break
      }
      case 6: {
        const bytes = Buffer.from(tokens.join(''))
        const place = choices.below(bytes.length)
        bytes[place] = (bytes[place] as number) ^ (1 << choices.below(8))
        tokens = bytes.toString().match(TOKEN) ?? []
        break
      }
      default:
        tokens.splice(Math.min(at, to), Math.abs(at - to) % 30)
    }
  }
  return tokens.join('')
}
