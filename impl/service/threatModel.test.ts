import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const page = readFileSync(path('THREAT-MODEL.md'), 'utf8')

/** `[words](file.test.ts "title of the test")` */
const shown = [...page.matchAll(/\[[^\]]+\]\(([^)\s]+\.test\.ts) "([^"]+)"\)/g)].map(
  ([, file, title]) => [title!, file!] as const,
)

/** Rows of the tables, without their heads. */
const claims = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|[ -]*-/.test(line) && !line.includes('shown by |'))

/** The first column of the table of the whole service. */
const [, whole = ''] = page.split('\n## Who can do what\n')
const attackers = new Set(
  [...whole.split('\n## ')[0]!.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name]) => name),
)

describe('the threat model', () => {
  it.each([
    ...['caller', 'key holder', 'owner', 'former owner', 'operator (minority)'],
    ...['operator (majority)', 'operator (former)', 'gateway', 'content host', 'oracle author'],
    ...['policy author', 'database reader', 'local web page'],
  ])('says what this party can do: %s', (name) => {
    expect([...attackers]).toContain(name)
  })

  it('names a test for each claim, or says that it follows from the design', () => {
    expect(claims.length).toBeGreaterThan(60)
    for (const claim of claims) expect(claim).toMatch(/\.test\.ts "|by construction/)
  })

  it.each(shown)('is right that a test "%s" exists', (title, file) => {
    expect(readFileSync(path(file), 'utf8')).toContain(title)
  })
})
