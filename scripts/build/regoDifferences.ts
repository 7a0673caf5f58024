/**
 * `npm run rego:differences`: writes impl/rego/DIFFERENCES.md from impl/rego/differences. With `--check`:
 * compares only, and exits 1 if the page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { differences } from 'polgate-rego/differences/catalogue.ts'
import { pageOf } from 'polgate-rego/differences/page.ts'

const place = fileURLToPath(new URL('../../impl/rego/DIFFERENCES.md', import.meta.url))
const page = pageOf(differences)
if (!process.argv.includes('--check')) {
  writeFileSync(place, page)
  console.log(`wrote impl/rego/DIFFERENCES.md: ${differences.length} differences`)
} else if (readFileSync(place, 'utf8') === page) {
  console.log('impl/rego/DIFFERENCES.md is up to date')
} else {
  console.error(
    'impl/rego/DIFFERENCES.md is out of date\nRun npm run rego:differences and commit the result.',
  )
  process.exitCode = 1
}
