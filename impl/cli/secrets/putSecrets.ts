import type { Secrets } from 'polgate-service/envelopes/secrets.ts'
import { CommandError } from '../commandDefinition.ts'
import { secretsMisfit } from '../package/schemaFit.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf } from '../stack/serviceTarget.ts'
import {
  type ClientOptions,
  type GuardedOracle,
  type GuardedOracles,
  guardedOracles,
  oracleOf,
} from './guardedOracles.ts'
import { type SecretsSource, secretsFrom } from './secretsInput.ts'

export type PutOptions = ClientOptions &
  SecretsSource & { readonly oracle?: string; readonly json?: boolean }

/** `polgate secrets put`. @throws CommandError, which contains no secret */
export async function putSecrets(
  folder: string | undefined,
  values: readonly string[],
  options: PutOptions,
): Promise<void> {
  const { found, oracle, secrets } = await checked(folder, values, options)
  const { target, policyClient } = found
  const client = clientOf(target, ['rpc', 'write'])
  await withClientErrors(() =>
    client.storeSecrets({ policyClient, policyDataAddress: oracle.address, secrets }),
  )
  tell(options, found, oracle, secrets, 'stored')
}

/** `polgate secrets verify`. @throws CommandError, which contains no secret */
export async function verifySecrets(
  folder: string | undefined,
  values: readonly string[],
  options: PutOptions,
): Promise<void> {
  const { found, oracle, secrets } = await checked(folder, values, options)
  tell(options, found, oracle, secrets, 'valid')
}

async function checked(
  folder: string | undefined,
  values: readonly string[],
  options: PutOptions,
): Promise<{ found: GuardedOracles; oracle: GuardedOracle; secrets: Secrets }> {
  const found = await guardedOracles(folder, values, options)
  const oracle = oracleOf(found, options.oracle)
  const schema = await found.schemaOf(oracle)
  const secrets = await secretsFrom(options)
  const problem = await secretsMisfit(schema, JSON.stringify(secrets))
  if (problem === undefined) return { found, oracle, secrets }
  throw new CommandError(`the secrets do not fit the schema of oracle ${oracle.name}: ${problem}`, {
    hint: 'Nothing was sent. Compare names and values with the schema.',
    exitCode: 1,
  })
}

function tell(
  { json }: PutOptions,
  { policyClient }: GuardedOracles,
  { name, address }: GuardedOracle,
  secrets: Secrets,
  state: 'stored' | 'valid',
): void {
  const count = Object.keys(secrets).length
  const machine = { state, client: policyClient, oracle: name, address, secrets: count }
  console.log(
    json
      ? JSON.stringify(machine)
      : `${state}  ${count} secrets of oracle ${name}, client ${policyClient}`,
  )
}
