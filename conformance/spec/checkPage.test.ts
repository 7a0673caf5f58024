import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checks, checksByFile } from '../checks/catalogue.ts'
import { checkPage } from './checkPage.ts'

const page = readFileSync(new URL('checks.md', import.meta.url), 'utf8')

describe('the page of checks', () => {
  test('is up to date (run npm run spec)', () => {
    expect(page).toBe(checkPage(checksByFile))
  })

  test('has every check once', () => {
    for (const { id } of checks) expect(page.split(`| \`${id}\` |`), id).toHaveLength(2)
  })

  test('links to files that exist', () => {
    for (const [file] of checksByFile)
      expect(existsSync(new URL(`../checks/${file}`, import.meta.url)), file).toBe(true)
  })

  test('escapes titles', () => {
    const check = {
      id: 'a.b',
      title: 'x <y> | z',
      level: 'must',
      clauses: ['1-01', '1-02'],
    } as const
    expect(checkPage([['1-a.ts', [check]]])).toContain(
      '## [1-a.ts](../checks/1-a.ts)\n\n| Check | Level | Title | Clauses |\n|---|---|---|---|\n' +
        '| `a.b` | must | x &lt;y> \\| z | 1-01, 1-02 |',
    )
  })
})
