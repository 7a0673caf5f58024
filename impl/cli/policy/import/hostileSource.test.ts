import { expect, test } from 'vitest'
import { hostsIn } from './derivedTests.ts'
import { ownModule } from './ownModule.ts'
import { ownExtensions, ownHostInterface } from './ownNames.ts'

const pieces = [
  ...['\n', ' ', '/*', '//', ' //', 'import ', "'a-", 'require( ', 'export {\n', 'export const '],
  ...['export default function ', 'export default ', 'https://a', 'a.', 'data.wasm.', 'x as '],
]
const heads = ['', 'import ', "'", 'require(', 'export {', 'export default function', 'https://']

const readers: Readonly<Record<string, (source: string) => unknown>> = {
  ...{ ownExtensions, ownHostInterface, hostsIn },
  ownModule: (source) => {
    try {
      return ownModule('oracle.js', source)
    } catch {
      return undefined
    }
  },
}

// Quadratic work takes minutes for the largest of them, linear work less than a second.
test.each(Object.keys(readers))(
  '%s reads every source in linear time',
  (name) => {
    const source = (head: string, piece: string) => head + piece.repeat(400_000 / piece.length)
    const begin = performance.now()
    for (const head of heads) for (const piece of pieces) readers[name]!(source(head, piece))
    expect(performance.now() - begin).toBeLessThan(60_000)
  },
  600_000,
)

test('an open comment hides the hosts after it', () => {
  expect(
    hostsIn('fetch("https://a.example/") /* https://b.example/ */ // https://c.example/'),
  ).toEqual(['a.example'])
  expect(hostsIn('"https://a.example/" /* "https://b.example/"')).toEqual(['a.example'])
})
