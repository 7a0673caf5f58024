import type { TSchema } from '@sinclair/typebox'
import type { Brand } from 'polgate-protocol/brand.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { type MethodName, methods } from 'polgate-protocol/methods.ts'
import { closeCode, socketKeyParameter, socketPath } from 'polgate-protocol/socketAddress.ts'
import { clientMessages, serverMessages } from 'polgate-protocol/socketMessages.ts'

/**
 * The description of the WebSocket in `rpc.discover` (sections 4.11, 6.1, 6.2, decisions W1 to W5).
 */
const socketDescription = (
  brand: Pick<Brand, 'topicPrefix'>,
  collect: (schema: unknown) => unknown,
): Record<string, unknown> => ({
  path: socketPath,
  topic: `${brand.topicPrefix}{task_id}`,
  authentication: ['Authorization: Bearer', `?${socketKeyParameter}=`],
  'x-permission': 'RpcRead',
  clientMessages: Object.values(clientMessages).map(collect),
  serverMessages: Object.values(serverMessages).map(collect),
  closeCodes: closeCode,
})

type Json = Record<string, unknown>

type Fault = readonly [code: number, message: string]

/** Errors of every method (sections 7.1 to 7.4). */
const commonErrors: readonly Fault[] = [
  [errorCode.invalidParams, 'Invalid request format: {details}'],
  [errorCode.internalError, 'Internal error'],
  [errorCode.invalidApiKey, 'Invalid API key'],
  [errorCode.permission, '{permission} permission required'],
  [errorCode.rateLimited, 'Rate limit exceeded'],
]

const authorization: Fault = [errorCode.authorization, 'Authorization failed: {details}']
const policy: Fault = [
  errorCode.incompatiblePolicyVersion,
  'Incompatible policy version: {details}',
]
const policyData: Fault = [
  errorCode.incompatiblePolicyDataVersion,
  'Incompatible policy data {address} version: {details}',
]
const contract: Fault = [errorCode.contract, 'Contract read failed: {details}']

/** Further errors of single methods: those of section 7.2 that are not reported in the result. */
const methodErrors: Partial<Record<MethodName, readonly Fault[]>> = {
  createTask: [policy, policyData],
  sendTask: [
    [errorCode.policyEvaluation, 'Failed to encode intent signature: {details}'],
    [errorCode.contract, 'TaskAlreadyExists: {details}'],
    contract,
    policy,
    policyData,
  ],
  simulateTask: [policy, policyData],
  simulatePolicy: [authorization, policyData],
  simulatePolicyData: [policyData],
  simulatePolicyDataWithClient: [authorization, policyData],
  storeEncryptedSecrets: [authorization, policyData],
  uploadIdentityEncrypted: [authorization, contract],
  uploadConfidentialData: [authorization, contract],
}

const errorsOf = (name: string): Json[] =>
  [...commonErrors, ...(methodErrors[name as MethodName] ?? [])].map(([code, message]) => ({
    code,
    message,
  }))

/** Moves named schemas to the components, and replaces them by references. */
function collector() {
  const schemas: Json = {}
  const collect = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(collect)
    if (typeof value !== 'object' || value === null) return value
    const { $id, ...rest } = value as Json
    const copy = Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, collect(v)]))
    if (typeof $id !== 'string') return copy
    schemas[$id] = copy
    return { $ref: `#/components/schemas/${$id}` }
  }
  return { schemas, collect }
}

const paramsOf = (schema: TSchema, collect: (value: unknown) => unknown): Json[] =>
  Object.entries(schema.properties as Record<string, TSchema>).map(([name, member]) => ({
    name,
    required: (schema.required as string[] | undefined)?.includes(name) ?? false,
    schema: collect(member),
  }))

/**
 * The OpenRPC document of the gateway (decision E11), generated from the schemas that validate the
 * parameters, so that the two cannot differ.
 */
export function openRpcDocument(brand: Brand, version: string): Json {
  const { schemas, collect } = collector()
  const described = Object.entries(methods).map(([name, method]) => ({
    name: `${brand.methodPrefix}${name}`,
    summary: method.summary,
    description: `Requires the ${method.permission} permission.`,
    paramStructure: 'by-name',
    params: paramsOf(method.params, collect),
    result: { name: 'result', schema: collect(method.result) },
    errors: errorsOf(name),
    'x-permission': method.permission,
  }))
  return {
    openrpc: '1.3.2',
    info: { title: 'Policy evaluation service', version },
    methods: described,
    'x-websocket': socketDescription(brand, collect),
    components: { schemas },
  }
}
