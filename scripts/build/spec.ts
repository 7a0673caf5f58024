/**
 * Writes the pages and JSON Schemas that are generated from definitions in the code, and the text of their
 * clauses above the checks. With `--check` it writes nothing and exits 1 when one of the committed files is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checks, checksByFile } from 'polgate-conformance/checks/catalogue.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import {
  eventPage,
  eventPagePlace,
  eventSchemaPlace,
  eventSchemaText,
} from 'polgate-conformance/reports/eventPage.ts'
import { checkPage } from 'polgate-conformance/spec/checkPage.ts'
import { byFile, withClauseComments } from 'polgate-conformance/spec/clauseComments.ts'
import { clausePage, sectionTitles } from 'polgate-conformance/spec/clausePage.ts'
import {
  environmentSchemaPath,
  environmentSchemaText,
} from 'polgate-conformance/targets/environment.ts'
import { schemaPath, targetSchemaText } from 'polgate-conformance/targets/targetSchema.ts'
import { configPage } from 'polgate-service/configPage.ts'
import {
  configPagePlace,
  configSchemaPlace,
  configSchemaText,
} from 'polgate-service/configSchema.ts'
import { packageSchemaTexts } from '../../impl/cli/package/publishedSchemas.ts'

const pathOf = (place: string) => fileURLToPath(new URL(`../../${place}`, import.meta.url))
const read = (place: string) => readFileSync(pathOf(place), 'utf8')

const texts = new Map(clauses.map(({ id, text }) => [id, text]))
const commented = [...byFile(checksByFile)].map(([file, checksOfFile]) => {
  const place = `conformance/checks/${file}`
  return [
    place,
    () => withClauseComments(read(place), checksOfFile, (id) => texts.get(id)!),
  ] as const
})
const titles = () => sectionTitles(read('conformance/spec/service.md'))
const files: Readonly<Record<string, () => string>> = {
  'conformance/spec/clauses.md': () => clausePage({ clauses, checks, titles: titles() }),
  'conformance/spec/checks.md': () => checkPage(checksByFile),
  [eventSchemaPlace]: eventSchemaText,
  [eventPagePlace]: eventPage,
  [schemaPath]: targetSchemaText,
  [environmentSchemaPath]: environmentSchemaText,
  [configSchemaPlace]: configSchemaText,
  [configPagePlace]: configPage,
  ...packageSchemaTexts,
  ...Object.fromEntries(commented),
}

for (const [place, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) {
    const written = text()
    if (read(place) === written) continue
    writeFileSync(pathOf(place), written)
    console.log(`wrote ${place}`)
  } else if (read(place) === text()) {
    if (!place.startsWith('conformance/checks/')) console.log(`${place} is up to date`)
  } else {
    console.error(`${place} is out of date: run npm run spec`)
    process.exitCode = 1
  }
}
