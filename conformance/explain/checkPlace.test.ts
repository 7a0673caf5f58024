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

test('every check has a file and a line, with its id or what composes it', () => {
  // Some of each file: their sources are read for each.
  const some = describedChecks.filter((_, i) => i % 12 === 0)
  const wrong = some.filter(({ id }) => {
    const place = checkPlace(id)
    if (place === undefined) return true
    const text = lineAt(place)
    return !text.includes(`'${id}'`) && !text.includes('${')
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('an id that is composed is found by its template', () => {
  const place = checkPlace('explorer.list.invalid.page-0')!
  expect(place).toMatch(/^conformance\/checks\/4\.12-[a-z-]+\.ts:\d+$|^conformance\/kit\//)
  expect(lineAt(place)).toContain('explorer.list.invalid.')
})

test('an unknown check, and a place without sources, have none', () => {
  expect(checkPlace('nobody-has-this')).toBeUndefined()
  expect(checkPlace('rpc.id.echo.uuid', '/nowhere')).toBeUndefined()
})
