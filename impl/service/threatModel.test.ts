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

describe('the threat model', () => {
  it('names a test for each claim, or says that it follows from the design', () => {
    expect(claims.length).toBeGreaterThan(15)
    for (const claim of claims) expect(claim).toMatch(/\.test\.ts "|by construction/)
  })

  it.each(shown)('is right that a test "%s" exists', (title, file) => {
    expect(readFileSync(path(file), 'utf8')).toContain(title)
  })
})
