import { basename } from 'node:path'
import type { Secrets } from 'polgate-service/envelopes/secrets.ts'
import { CommandError } from '../commandDefinition.ts'
import { runCode } from '../package/codeThreads.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { secretsMisfit } from '../package/schemaFit.ts'
import { readSecrets } from '../policy/inputFiles.ts'

/**
 * What operators would refuse of a policy, before it is published.
 *
 * @throws CommandError with file and line
 */
export async function checkPolicy({
  policy,
  entrypoint,
  file,
  placeOf,
}: PolicyPackage): Promise<void> {
  const name = basename(policy.path)
  const problem = await runCode(policy.path, {
    kind: 'problem',
    given: { policy: { name, source: policy.text }, entrypoint },
  })
  if (problem === undefined) return
  if (problem !== 'no rule')
    throw new CommandError(problem.errors.join('\n'), {
      hint: 'polgate rego check shows all errors.',
    })
  throw new CommandError(
    `${placeOf('entrypoint') || file} ${name} has no rule data.${entrypoint}`,
    { hint: 'It decides: without it every task would fail.' },
  )
}

/**
 * The test secrets of the oracles that need some, by oracle.
 *
 * @throws CommandError, which contains no secret
 */
export async function testSecretsOf({
  oracles,
}: PolicyPackage): Promise<ReadonlyMap<string, Secrets>> {
  const all = new Map<string, Secrets>()
  for (const { id, testSecrets, secretsSchema } of oracles) {
    if (testSecrets === undefined || secretsSchema === undefined) continue
    const { secrets } = await readSecrets(testSecrets)
    const problem = await secretsMisfit(secretsSchema, JSON.stringify(secrets))
    if (problem !== undefined)
      throw new CommandError(
        `${testSecrets} does not fit the secrets schema of oracle ${id}: ${problem}`,
        { hint: `The schema is ${secretsSchema.path}.` },
      )
    all.set(id, secrets)
  }
  return all
}
