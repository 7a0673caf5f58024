import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { describedChecks } from '../checks/described.ts'
import { checkPlace } from './checkPlace.ts'

function lineAt(place: string): string {
  const [file, line] = place.split(':')
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url))
  return readFileSync(path, 'utf8').split('\n')[Number(line) - 1]!
}

test('every check has a file, and a line with its id or with what composes it', () => {
  // Some of each file: their sources are read for each.
  const some = describedChecks.filter((_, i) => i % 12 === 0)
  for (const { id, file } of some) {
    const place = checkPlace({ id, file: file! })!
    expect(place, id).toMatch(/^conformance\/(checks|kit|model)\//)
    if (place === file) continue // Composed without a template literal.
    const text = lineAt(place)
    expect(text.includes(`'${id}'`) || text.includes('${'), `${id}: ${place}`).toBe(true)
  }
})

test('an id that is composed is found by its template', () => {
  const file = 'conformance/checks/4.12-explorer-lists.ts'
  const place = checkPlace({ id: 'explorer.list.invalid.page-0', file })!
  expect(place).toContain(`${file}:`)
  expect(lineAt(place)).toContain('explorer.list.invalid.')
})

test('an unknown check, and a place without sources, have none', () => {
  expect(checkPlace({ id: 'nobody-has-this' })).toBeUndefined()
  const file = 'conformance/checks/4.1-conventions.ts'
  expect(checkPlace({ id: 'rpc.id.echo.uuid', file }, '/nowhere')).toBeUndefined()
})
