import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { PackageOracle } from './policyPackage.ts'
import { schemaMisfit } from './schemaFit.ts'

/**
 * Why arguments do not fit the `wasmArgsSchema` of their oracle; undefined if they do, or there is none.
 *
 * @throws CommandError if the schema cannot be used
 */
export async function wasmArgsProblem(
  { id, wasmArgsSchema: file }: Pick<PackageOracle, 'id' | 'wasmArgsSchema'>,
  args: unknown,
): Promise<string | undefined> {
  const misfit = file && (await schemaMisfit(file, stringifyExact(args)))
  return (
    misfit && `wasmArgs of ${id} do not fit their schema: ${misfit.at || 'they'} ${misfit.message}`
  )
}
