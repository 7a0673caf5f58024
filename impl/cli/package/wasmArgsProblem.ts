import {
  compileUntrustedSchema,
  parseUntrustedSchema,
} from 'polgate-service/envelopes/untrustedSchema.ts'
import { CommandError } from '../commandDefinition.ts'
import type { PackageOracle } from './policyPackage.ts'

/**
 * Why arguments do not fit the `wasmArgsSchema` of their oracle; undefined if they do, or there is none.
 *
 * @throws CommandError if the schema cannot be used
 */
export function wasmArgsProblem(
  { id, wasmArgsSchema: file }: Pick<PackageOracle, 'id' | 'wasmArgsSchema'>,
  args: unknown,
): string | undefined {
  if (file === undefined) return undefined
  try {
    const schema = parseUntrustedSchema(file.text)
    const [first] = compileUntrustedSchema(schema, { formats: true, allErrors: false })(args) ?? []
    return (
      first &&
      `wasmArgs of ${id} do not fit their schema: ${first.instancePath || 'they'} ${first.message}`
    )
  } catch (cause) {
    throw new CommandError(`${file.path}: ${(cause as Error).message}`, {
      hint: 'Correct the JSON Schema.',
      cause,
    })
  }
}
