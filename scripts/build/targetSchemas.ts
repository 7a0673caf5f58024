/** Writes the published schemas of target files and of the environment of a gateway under test. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  environmentSchemaPlace,
  environmentSchemaText,
} from 'polgate-conformance/targets/environment.ts'
import { schemaPlace, targetSchemaText } from 'polgate-conformance/targets/targetSchema.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
writeFileSync(`${root}${schemaPlace}`, targetSchemaText())
writeFileSync(`${root}${environmentSchemaPlace}`, environmentSchemaText())
