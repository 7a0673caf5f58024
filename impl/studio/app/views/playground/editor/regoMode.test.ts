import { StringStream } from '@codemirror/language'
import { expect, test } from 'vitest'
import { regoToken } from './regoMode.ts'

/** The tokens of some lines, without space. */
function tokens(text: string): readonly string[] {
  const state = { raw: false }
  return text.split('\n').flatMap((line) => {
    const stream = new StringStream(line, 2, 2)
    const found: string[] = []
    while (!stream.eol()) {
      stream.start = stream.pos
      const kind = regoToken(stream, state)
      if (kind !== null) found.push(`${stream.current()} ${kind}`)
    }
    return found
  })
}

test.each([
  [
    'allow if count(x) == 10.5',
    [
      'allow variableName',
      'if keyword',
      'count variableName.function',
      '( punctuation',
      'x variableName',
      ') punctuation',
      '== operator',
      '10.5 number',
    ],
  ],
  [
    'input.value # why "not"',
    ['input variableName.special', '. punctuation', 'value variableName', '# why "not" comment'],
  ],
  [
    'time.now_ns()',
    [
      'time variableName.function',
      '. punctuation',
      'now_ns variableName.function',
      '( punctuation',
      ') punctuation',
    ],
  ],
  ['"a \\" b" false', ['"a \\" b" string', 'false atom']],
  ['"open', ['"open string']],
  ['`a\nb` 1', ['` string', 'a string', 'b` string', '1 number']],
  ['x := -1', ['x variableName', ':= operator', '- operator', '1 number']],
])('%s', (text, expected) => {
  expect(tokens(text)).toEqual(expected)
})
