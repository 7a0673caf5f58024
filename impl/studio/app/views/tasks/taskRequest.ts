import { Value } from '@sinclair/typebox/value'
import type { TaskResult } from 'polgate-client'
import { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'

export type TaskRequest = {
  /** Without the brand's prefix. */
  readonly method: string
  readonly params: unknown
  /** False: made from the task on chain, without members that are not part of it. */
  readonly isOriginal: boolean
}

/** The call that created a task, from what the control API or else the result has. */
export function requestOf(
  known: { readonly method: string | null; readonly request: unknown } | undefined,
  task: TaskResult['task'],
): TaskRequest | undefined {
  if (typeof known?.request === 'object' && known.request !== null)
    return { method: known.method ?? 'createTask', params: known.request, isOriginal: true }
  if (task === undefined) return undefined
  const { policyClient, intent, intentSignature, wasmArgs, quorumThresholdPercentage } = task
  const params = {
    policy_client: policyClient,
    intent: {
      ...{ from: intent.from, to: intent.to, value: intent.value, data: intent.data },
      chain_id: hexOf(intent.chainId),
      function_signature: intent.functionSignature,
    },
    ...(intentSignature === '0x' ? {} : { intent_signature: intentSignature }),
    ...(wasmArgs === '0x' ? {} : { wasm_args: wasmArgs }),
    quorum_threshold_percentage: quorumThresholdPercentage,
  }
  return { method: 'createTask', params, isOriginal: false }
}

const hexOf = (value: unknown): string =>
  typeof value === 'number' || /^\d+$/.test(String(value))
    ? `0x${BigInt(value as number | string).toString(16)}`
    : String(value)

/** The body of the call. */
export const rpcText = (methodPrefix: string, { method, params }: TaskRequest): string =>
  JSON.stringify(
    { jsonrpc: '2.0', id: 1, method: `${methodPrefix}${method}`, params },
    undefined,
    2,
  )

/** The call for a shell, with a variable in the place of the key. */
export const curlText = (gatewayUrl: string, body: string): string =>
  [
    `curl -s '${gatewayUrl}/rpc'`,
    "-H 'content-type: application/json'",
    '-H "authorization: Bearer $API_KEY"',
    `--data '${body.replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ')

/** Parameters from the text of an editor, or what is wrong with it. */
export function parsedParams(
  text: string,
): { readonly params: CreateTaskParams } | { readonly error: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { error: `This is not JSON: ${(error as Error).message}` }
  }
  if (Value.Check(CreateTaskParams, value)) return { params: value }
  const first = Value.Errors(CreateTaskParams, value).First()
  const where = first?.path.slice(1).replaceAll('/', '.') || 'The whole'
  return { error: `${where}: ${first?.message ?? 'not valid'}` }
}
