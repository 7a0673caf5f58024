import { basename } from 'node:path'
import { transpiledDirectory } from 'polgate-local/chainImage.ts'
import type { Secrets } from 'polgate-service/envelopes/secrets.ts'
import { createOracleHost } from 'polgate-service/oracles/oracleHost.ts'
import { CommandError } from '../commandDefinition.ts'
import { runCode } from '../package/codeThreads.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { secretsMisfit } from '../package/schemaFit.ts'
import { readSecrets } from '../policy/inputFiles.ts'
import type { PackageContents } from '../publish/packageContents.ts'

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
 * Checks that operators can load the components of oracles, and puts them into the cache that they share with this
 * process.
 *
 * @param known content ids that were checked; new ones are added
 * @throws CommandError
 */
export async function checkComponents(
  { oracles }: PackageContents,
  {
    witPackage,
    known,
    signal,
  }: { readonly witPackage: string; readonly known: Set<string>; readonly signal: AbortSignal },
): Promise<void> {
  const unknown = oracles.filter(({ component }) => !known.has(component.cid))
  if (unknown.length === 0) return
  const host = createOracleHost({
    ...{ cacheDir: transpiledDirectory, brand: witPackage, maxWorkers: 1 },
    ...{ prepareAhead: false, clock: { now: Date.now } },
  })
  try {
    for (const { id, component } of unknown) {
      const { cid, bytes } = component
      await host.load(bytes, { cid, label: `oracle ${id}`, signal }).catch((cause: Error) => {
        signal.throwIfAborted()
        throw new CommandError(`oracle ${id} cannot be loaded: ${cause.message}`, { cause })
      })
      known.add(cid)
    }
  } finally {
    await host.close()
  }
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
