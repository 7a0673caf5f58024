import { expect, it } from 'vitest'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { missingBuiltins } from './availability.ts'

it('finds calls that only one profile has, anywhere in a module', () => {
  const module = parseModule(
    new Source(
      'p.rego',
      `package p
import data.lib
a := json.patch(input, []) if count(input) > 0
else := json.patch(input, [{}])
b contains x if { some x in [y | y := crypto.sha256("a")]; not graphql.is_valid("a", "b") }
c(json.patch(input.x, [])) := lib.f(1)
d if every x in input { x == crypto.sha256("b") }
`,
    ),
  )
  const known = new Set(['json.patch', 'crypto.sha256', 'graphql.is_valid', 'count', 'gt'])
  const found = missingBuiltins([module], known, new Set(['count', 'gt']))
  expect(found.map(({ name, location }) => `${name} ${location.row}:${location.col}`)).toEqual([
    'json.patch 3:6',
    'json.patch 4:9',
    'crypto.sha256 5:39',
    'graphql.is_valid 5:64',
    'json.patch 6:3',
    'crypto.sha256 7:30',
  ])
})
