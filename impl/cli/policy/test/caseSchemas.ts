import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import { CommandError } from '../../commandDefinition.ts'
import type { PolicyPackage } from '../../package/policyPackage.ts'
import { changed } from '../../package/resolvedCase.ts'
import { schemaMisfit } from '../../package/schemaFit.ts'
import { wasmArgsProblem } from '../../package/wasmArgsProblem.ts'
import { parseJson } from '../inputFiles.ts'
import type { CaseOutcome } from './caseRunner.ts'
import type { PlacedCase } from './loadCases.ts'

/** @throws CommandError if the arguments that the package gives do not fit their schema */
export async function checkWasmArgs({ oracles }: PolicyPackage): Promise<void> {
  for (const oracle of oracles) {
    if (oracle.wasmArgs === undefined || oracle.wasmArgsSchema === undefined) continue
    const { path, text } = oracle.wasmArgs
    const problem = await wasmArgsProblem(oracle, parseJson(path, text))
    if (problem !== undefined)
      throw new CommandError(`${path}: ${problem}`, {
        hint: `The schema is ${oracle.wasmArgsSchema.path}.`,
      })
  }
}

/**
 * The operator says whether the parameters of a case fit their schema.
 *
 * @throws CommandError if the schema takes too long for them
 */
export async function checkParams({ params, paramsSchema }: PolicyPackage, each: PlacedCase) {
  if (paramsSchema === undefined || each.params === undefined) return
  const given: unknown = params === undefined ? {} : parseJson(params.path, params.text)
  await schemaMisfit(paramsSchema, stringifyExact(changed(given, each.params)))
}

/** Arguments that a caller must not send are allowed: the policy or the oracle has to refuse them. */
export async function argsProblemOf(
  { wasmArgs = {} }: Pick<PlacedCase, 'wasmArgs'>,
  { decision }: Pick<CaseOutcome, 'decision'>,
  oracles: PolicyPackage['oracles'],
): Promise<string | undefined> {
  if (decision !== 'allow') return undefined
  for (const oracle of oracles) {
    if (oracle.wasmArgsSchema === undefined) continue
    const own = oracle.wasmArgs ?? { path: oracle.id, text: '{}' }
    const isChanged = Object.hasOwn(wasmArgs, oracle.id)
    const args = isChanged ? wasmArgs[oracle.id] : parseJson(own.path, own.text)
    const problem = await wasmArgsProblem(oracle, args)
    if (problem !== undefined) return `it is allowed, but ${problem}`
  }
  return undefined
}
