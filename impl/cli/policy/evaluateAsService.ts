import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { SimulatePolicyParams } from 'polgate-protocol/methods/simulatePolicy.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { paramsParser } from 'polgate-service/gateway/params.ts'
import type { DataSource, EvaluationAnswer, Operator } from 'polgate-service/operators/operator.ts'
import { simulatePolicy as simulateAsService } from 'polgate-service/tasks/simulatePolicy.ts'
import { minimumVersions } from 'polgate-service/tasks/versions.ts'
import { CommandError } from '../commandDefinition.ts'
import type { PolicyAnswer } from './policyReport.ts'
import { type Simulator, simulatedClient } from './simulator.ts'

const parseParams = paramsParser(SimulatePolicyParams)

/** The params of section 4.8, validated as the gateway does. @throws CommandError */
export function requestOf(given: {
  readonly source: string
  readonly intent: unknown
  readonly params: unknown
  readonly entrypoint: string | undefined
  readonly intentSignature: string | undefined
  readonly sources: readonly Pick<DataSource, 'policyDataAddress' | 'wasmArgs'>[]
}): SimulatePolicyParams {
  const { source: policy, intent, params: policy_params, entrypoint } = given
  const { intentSignature: intent_signature, sources } = given
  try {
    return parseParams({
      policy_client: simulatedClient,
      policy,
      intent,
      policy_params,
      entrypoint,
      intent_signature,
      policy_data: sources.map(({ policyDataAddress, wasmArgs }) => ({
        policy_data_address: policyDataAddress,
        wasm_args: wasmArgs,
      })),
    }) as SimulatePolicyParams
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    throw new CommandError(cause.message, {
      hint: 'The service would return this error. Intents use snake_case members (section 2.2).',
      cause,
    })
  }
}

/**
 * Runs the oracles and the policy as the service simulates them.
 *
 * @param given `schemas` of the secrets by oracle; `data` replaces the output of the oracles
 * @returns also failures of oracles and policy, as the service reports them
 */
export async function evaluateAsService(
  simulator: Simulator,
  request: SimulatePolicyParams,
  given: {
    readonly schemas: readonly (string | undefined)[]
    readonly paramsSchema: string | undefined
    readonly signingDomain: IntentDomain | undefined
    readonly data: string | undefined
    readonly now: () => number
    readonly signal: AbortSignal
  },
): Promise<PolicyAnswer> {
  const owner: Address = `0x${'0a'.repeat(20)}`
  const { paramsSchema, data } = given
  const paramsSchemaCid = paramsSchema === undefined ? '' : simulator.addContent(paramsSchema)
  let evaluation: EvaluationAnswer | undefined
  const operator: Operator = {
    ...simulator.operator,
    async evaluate(asked, signal) {
      const outputs = data === undefined ? asked.data : [data]
      evaluation = await simulator.operator.evaluate(
        { ...asked, paramsSchemaCid, data: outputs },
        signal,
      )
      return evaluation
    },
  }
  const at = (address: Address) =>
    simulator.sources.findIndex(({ policyDataAddress }) => policyDataAddress === address)
  const deps = {
    brand: defaultBrand,
    clock: given.now,
    minimumVersions,
    secrets: {
      get: async ({ policyDataAddress }: { policyDataAddress: Address }) =>
        simulator.sources[at(policyDataAddress)]?.envelope ?? undefined,
    },
    chain: {
      owner: async () => ({ owner, block: 0 }),
      signingDomain: async () => given.signingDomain,
      policyData: async (policyDataAddress: Address) => {
        const { wasmCid } = simulator.sources[at(policyDataAddress)]!
        const schema = given.schemas[at(policyDataAddress)]
        return {
          policyDataAddress,
          wasmCid,
          secretsSchemaCid: schema === undefined ? '' : simulator.addContent(schema),
          expireAfter: 0,
          version: '1.0.0',
          attesters: [],
          digestVersion: 2,
        }
      },
    },
  }
  const caller = { keyId: 'command line', owners: [owner] }
  const result = await simulateAsService(
    { deps, ask: (call) => call(operator, given.signal) },
    request,
    caller,
  )
  const named = result.error == null ? result : { ...result, error: simulator.naming(result.error) }
  return { result: named, evaluation }
}
