/**
 * Writes conformance/spec/clauses.md from the register and the checks. With `--check` it exits 1 if
 * the committed page is out of date, and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checks } from 'polgate-conformance/checks/catalogue.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import { clausePage, sectionTitles } from 'polgate-conformance/spec/clausePage.ts'

const pathOf = (page: string) =>
  fileURLToPath(new URL(`../../conformance/spec/${page}`, import.meta.url))

const path = pathOf('clauses.md')
const titles = sectionTitles(readFileSync(pathOf('service.md'), 'utf8'))
const page = clausePage({ clauses, checks, titles })

if (!process.argv.includes('--check')) {
  writeFileSync(path, page)
  console.log(`wrote conformance/spec/clauses.md: ${clauses.length} clauses`)
} else if (readFileSync(path, 'utf8') === page) {
  console.log('conformance/spec/clauses.md is up to date')
} else {
  console.error('conformance/spec/clauses.md is out of date: run npm run spec')
  process.exitCode = 1
}
