import type { TSchema } from '@sinclair/typebox'
import { CasesFile } from './casesSchema.ts'
import { MocksFile } from './mocksSchema.ts'
import { PackageDescription } from './packageSchema.ts'

const published = (schema: TSchema) => (): string =>
  `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, null, 2)}\n`

/** The published JSON Schemas of a policy package's YAML files, by path in a clone. */
export const packageSchemaTexts: Readonly<Record<string, () => string>> = {
  'impl/cli/package/schemas/policy.schema.json': published(PackageDescription),
  'impl/cli/package/schemas/mocks.schema.json': published(MocksFile),
  'impl/cli/package/schemas/cases.schema.json': published(CasesFile),
}
