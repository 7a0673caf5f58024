import { expect, test } from 'vitest'
import { ownExtensions } from './ownNames.ts'

test.each([
  ['p := acme.identity.get("a")', 'p := service.identity.get("a")'],
  [
    't if p with acme.confidential.blacklist.contains as false',
    't if p with service.confidential.blacklist.contains as false',
  ],
  ['p := acme.identity.get_all("a")', undefined],
  ['p := x.acme.identity.get("a")', undefined],
  ['p := data.identity.get("a")', undefined],
  ['import data.lib\n\np := lib.identity.get("a")', undefined],
  ['import data.x.y as lib\n\np := lib.identity.get("a")', undefined],
  [
    'import data.lib as other\n\np := lib.identity.get("a")',
    'import data.lib as other\n\np := service.identity.get("a")',
  ],
])('%s', (rego, expected) => {
  const { text, from } = ownExtensions(rego)
  expect(text).toBe(expected ?? rego)
  expect(from.length).toBe(expected === undefined ? 0 : 1)
})
