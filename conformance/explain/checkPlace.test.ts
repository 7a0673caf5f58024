import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describedChecks } from '../checks/described.ts'
import { checkPlace } from './checkPlace.ts'

function lineAt(place: string): string | undefined {
  const [file, line] = place.split(':')
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  return source.split('\n')[Number(line) - 1]
}

test('every check has a place: a line of its file with its id', () => {
  for (const check of describedChecks) {
    const place = checkPlace(check)!
    expect(place.startsWith(`${check.file}:`), check.id).toBe(true)
    expect(lineAt(place), place).toContain(`'${check.id}'`)
  }
})

test('an unknown check, and one without sources, have none', () => {
  const file = 'conformance/checks/4.1-conventions.ts'
  expect(checkPlace({ id: 'nobody-has-this', file })).toBeUndefined()
  expect(checkPlace({ id: 'nobody-has-this' })).toBeUndefined()
  expect(checkPlace({ id: 'rpc.id.echo.uuid', file }, '/nowhere')).toBeUndefined()
})
