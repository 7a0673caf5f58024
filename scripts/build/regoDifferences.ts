/** Writes impl/rego/DIFFERENCES.md from impl/rego/differences. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { differences } from 'polgate-rego/differences/catalogue.ts'
import { pageOf } from 'polgate-rego/differences/page.ts'

const place = fileURLToPath(new URL('../../impl/rego/DIFFERENCES.md', import.meta.url))
writeFileSync(place, pageOf(differences))
console.log(`wrote impl/rego/DIFFERENCES.md: ${differences.length} differences`)
