import { type Hex, toHex } from 'viem'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import type { CallOptions } from '../../core/gateway.ts'
import { responseOfResult } from '../../crypto/attestation.ts'
import { policyOfClient } from './fixtures.ts'
import { createTask, expectTask, taskParams, transferIntent } from './requests.ts'

/** The input of a fixture's oracles as Data, with overridden members. */
export const wasmArgs = (
  t: CheckContext,
  name: string,
  change: Record<string, unknown> = {},
): Hex => toHex(JSON.stringify({ ...policyOfClient(t, name).wasmArgs, ...change }))

/** Params that simulate a fixture's policy with its oracles. */
export function oracleParams(
  t: CheckContext,
  name: string,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> {
  const policy = policyOfClient(t, name)
  const client = t.client(name)
  return {
    policy_client: client.policyClient,
    policy: policy.source,
    intent: transferIntent(t),
    entrypoint: policy.entrypoint,
    policy_params: policy.params,
    policy_data: client.policyData.map(({ address }) => ({
      policy_data_address: address,
      wasm_args: wasmArgs(t, name),
    })),
    ...overrides,
  }
}

export const simulateOracle = (
  t: CheckContext,
  name: string,
  overrides: Record<string, unknown> = {},
  options?: CallOptions,
): Promise<Answer> => t.gateway.call('simulatePolicy', oracleParams(t, name, overrides), options)

/** The decision of a task whose oracles get the fixture's input. */
export async function decideWithOracles(
  t: CheckContext,
  name: string,
  change: Record<string, unknown> = {},
) {
  const params = taskParams(t, name, { wasm_args: wasmArgs(t, name), ...change })
  return responseOfResult(expectTask(await createTask(t, params)))
}
