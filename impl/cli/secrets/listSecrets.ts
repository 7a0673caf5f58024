import { createIntent, MissingSecretsError } from 'polgate-client/index.ts'
import { asCommandFailure } from '../stack/asCommandFailure.ts'
import { chainOf, clientOf } from '../stack/serviceTarget.ts'
import { type ClientOptions, type GuardedOracles, guardedOracles } from './guardedOracles.ts'

export type ListOptions = ClientOptions & { readonly missing?: boolean; readonly json?: boolean }

/** `polgate secrets list`; with `--missing`, exit code 1 if there are any. @throws CommandError */
export async function listSecrets(
  folder: string | undefined,
  values: readonly string[],
  options: ListOptions,
): Promise<void> {
  const found = await guardedOracles(folder, values, options)
  const absent = options.missing ? await missingOf(found) : undefined
  const rows = found.oracles.filter(({ address }) => absent?.has(address.toLowerCase()) ?? true)
  if (absent !== undefined && rows.length > 0) process.exitCode = 1
  if (options.json) {
    console.log(JSON.stringify({ client: found.policyClient, oracles: rows }))
    return
  }
  for (const { name, address, schemaCid } of rows)
    console.log(`${name}  ${address}  schema ${schemaCid}`)
  if (rows.length === 0)
    console.log(
      options.missing ? 'no secrets are missing' : 'no oracle of the client needs secrets',
    )
}

/** No rule of it is ever true: the call is only about the secrets, which are looked up first. */
const nothing = 'package nothing\n\ndefault allow := false\n'

/**
 * Addresses of the oracles whose secrets the gateway does not have, in lower case. No method says only that: a
 * simulation does, before it runs anything; if none is missing, it runs the oracles once.
 */
async function missingOf({
  target,
  policyClient,
  oracles,
}: GuardedOracles): Promise<ReadonlySet<string>> {
  if (oracles.length === 0) return new Set()
  const client = clientOf(target)
  const intent = createIntent({
    from: policyClient,
    to: policyClient,
    chainId: chainOf(target).chainId,
  })
  try {
    await client.simulatePolicy({
      policy_client: policyClient,
      policy: nothing,
      entrypoint: 'nothing.allow',
      intent,
      policy_data: oracles.map(({ address }) => ({ policy_data_address: address })),
    })
    return new Set()
  } catch (error) {
    if (error instanceof MissingSecretsError)
      return new Set(error.missing.map((each) => each.policy_data_address.toLowerCase()))
    const { code } = error as { code?: unknown }
    // The secrets are there, and the oracle wants arguments.
    if (code === 'ORACLE_FAILED' || code === 'REGO_FAILED') return new Set()
    throw asCommandFailure(error)
  }
}
