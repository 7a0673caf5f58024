import { describe, expect, it } from 'vitest'
import { contractErrorsAbi } from '../generated/contractAbis.ts'
import { errorOfAnswer, errorOfStatus } from '../rpc/errorOfAnswer.ts'
import { succeeded } from '../rpc/succeeded.ts'
import { taskOutcome } from '../tasks/taskOutcome.ts'
import { attestationHints } from './attestationHints.ts'
import {
  AttestationExpiredError,
  AttestationRefusedError,
  DomainUnknownError,
} from './chainErrors.ts'
import { ClientError } from './clientError.ts'
import { NetworkError } from './transportErrors.ts'

const taskId = `0x${'ab'.repeat(32)}` as const
const metaMessages = ['Method: svc_createTask']

function ofTask(error: string, more: object = {}) {
  try {
    return taskOutcome(
      {
        status: 'failed',
        aggregation_response: null,
        error,
        timestamp: 1,
        task_id: taskId,
        ...more,
      },
      metaMessages,
    )
  } catch (thrown) {
    return thrown as ClientError
  }
}

const ofCode = (code: number, message: string) =>
  errorOfAnswer('svc_createTask', { status: 200, error: { code, message } }, { metaMessages })

describe('the texts of errors', () => {
  it('say what to do about an attestation that is refused, where that is known', () => {
    const names = contractErrorsAbi.map(({ name }) => name)
    for (const [errorName, hint] of Object.entries(attestationHints)) {
      expect(names).toContain(errorName)
      expect(new AttestationRefusedError({ errorName }).hint).toBe(hint)
    }
    expect(new AttestationRefusedError({ errorName: 'StalePolicy' }).hint).toBeUndefined()
  })

  it('say what is wrong, where, and what to do', () => {
    expect(errorOfStatus(401, { metaMessages })?.message).toMatchInlineSnapshot(`
      "The API key is not valid. It is unknown, expired, rotated or deleted: pass the current key to the client.

      Method: svc_createTask
      Docs: service.md#5.1"
    `)
    expect(
      errorOfStatus(429, { metaMessages, retryAfterMs: 2_000 })?.message,
    ).toMatchInlineSnapshot(`
      "The rate limit of the API key is exceeded. Nothing was executed: send the request again in 2 s.

      Method: svc_createTask
      Docs: service.md#8"
    `)
    expect(
      ofCode(-32602, 'Invalid request format: intent.value must be hex').message,
    ).toMatchInlineSnapshot(`
      "The param intent.value is not valid.

      Method: svc_createTask
      Details: Invalid request format: intent.value must be hex
      Docs: service.md#4"
    `)
    expect(
      ofTask('Task timeout', { status: 'timeout' }) instanceof ClientError &&
        (ofTask('Task timeout', { status: 'timeout' }) as ClientError).message,
    ).toMatchInlineSnapshot(`
      "The task timed out. It has ended: send it again, with a longer timeout if its oracles are slow.

      Task: 0xabababababababababababababababababababababababababababababababab
      Method: svc_createTask
      Details: Task timeout
      Docs: service.md#7.5"
    `)
    expect(
      new AttestationExpiredError({ expiration: 100n, block: 120n }).message,
    ).toMatchInlineSnapshot(`
      "The attestation has expired. Create the task again.

      Expiration: block 100
      Next block: 120
      Docs: decisions.md#T9"
    `)
    expect(new DomainUnknownError().message).toMatchInlineSnapshot(`
      "The policy client does not state the domain that intents are signed under. Pass domain: { name, version } with the two constructor arguments of the contract's EIP-712 base; they cannot be read from the chain.

      Docs: service.md#4.2"
    `)
    expect(
      new NetworkError({ notSent: false, details: 'ECONNRESET' }).message,
    ).toMatchInlineSnapshot(`
      "The connection failed before the answer. In a browser, also check that the gateway allows the origin of the page (CORS).

      Details: ECONNRESET
      Docs: service.md#4.1"
    `)
    expect(
      new NetworkError({ notSent: true, details: 'ECONNREFUSED', metaMessages }).message,
    ).toMatchInlineSnapshot(`
      "The server cannot be reached. Check the URL and that the server is running.

      Method: svc_createTask
      Details: ECONNREFUSED
      Docs: service.md#4.1"
    `)
  })

  it('list the oracles without secrets', () => {
    const error_details = {
      missing_secrets: [
        { policy_data_address: `0x${'11'.repeat(20)}` as const, has_secrets_schema: true },
      ],
      suggested_actions: [],
    }
    const result = {
      success: false,
      error: 'Missing secrets for 1 PolicyData contract(s)',
      error_details,
    }
    const brand = { methodPrefix: 'acme_' } as never
    expect(() =>
      succeeded({ brand }, 'simulatePolicy', result),
    ).toThrowErrorMatchingInlineSnapshot(`
      [MissingSecretsError: Secrets of oracles are missing. Upload them with storeSecrets.

      Method: acme_simulatePolicy
      Missing: 0x1111111111111111111111111111111111111111
      Details: Missing secrets for 1 PolicyData contract(s)
      Docs: service.md#7.3]
    `)
  })

  it('are bounded', () => {
    const long = ofCode(-32615, 'x'.repeat(100_000))
    expect(long.message.length).toBeLessThan(1_500)
    expect(long.shortMessage).toBe('The policy could not be evaluated.')
  })
})

describe('the cause of an error', () => {
  it.each([
    [-32700, 'Parse error', 'REQUEST_REFUSED'],
    [-32601, 'Unknown service RPC method: acme_x', 'METHOD_NOT_FOUND'],
    [-32602, 'Invalid request format: x is required', 'INVALID_PARAMS'],
    [-32602, 'No identity data found for data_ref_id 0x', 'NOT_FOUND'],
    [-32603, 'Internal error', 'INTERNAL'],
    [-32615, 'Failed to encode intent signature: expected exactly 65 bytes', 'INVALID_PARAMS'],
    [-32615, 'anything', 'REGO_FAILED'],
    [-32616, 'Contract read failed: the node does not respond', 'CONTRACT_ERROR'],
    [
      -32616,
      'Contract read failed: getPolicyId of 0x reverted with PolicyNotSet()',
      'POLICY_NOT_FOUND',
    ],
    [-32616, `TaskAlreadyExists: ${taskId} is in progress`, 'TASK_EXISTS'],
    [-32617, 'Operator not registered', 'REQUEST_REFUSED'],
    [-32618, 'Incompatible policy version: 9.0.0', 'INCOMPATIBLE_VERSION'],
    [-32619, 'anything', 'INCOMPATIBLE_VERSION'],
    [-32620, 'anything', 'ORACLE_FAILED'],
    [-32001, 'Invalid API key', 'UNAUTHORIZED'],
    [-32002, 'Authorization failed: policy client 0x is owned by another user', 'NOT_OWNER'],
    [-32003, 'RpcRead permission required', 'FORBIDDEN'],
    [-32005, 'Rate limit exceeded', 'RATE_LIMITED'],
    [-1, 'anything', 'REQUEST_REFUSED'],
  ])('of %i %j is %s', (code, message, expected) => {
    expect(ofCode(code, message)).toMatchObject({ code: expected })
  })

  it.each([
    ['Quorum not reached: stake 10 of the required 67 signed', 'QUORUM_NOT_REACHED'],
    ['WASM execution failed: trap', 'ORACLE_FAILED'],
    ['Rego evaluation failed: undefined rule', 'REGO_FAILED'],
    ['No secrets found for policy_client 0x and policy_data 0x', 'MISSING_SECRETS'],
    ['Internal error', 'TASK_FAILED'],
  ])('of a task that failed with %j is %s', (message, code) => {
    expect(ofTask(message)).toMatchObject({
      code,
      metaMessages: [`Task: ${taskId}`, ...metaMessages],
    })
  })

  it('of a failure with errors of operators has them', () => {
    const error = { error_code: -32603, message: 'm', retryable: true }
    expect(ofTask('another text', { operator_errors: [error] })).toMatchObject({
      code: 'QUORUM_NOT_REACHED',
      operatorErrors: [error],
    })
  })

  it.each([{}, { status: 'pending' }, { status: 'success', task_id: taskId }, null])(
    'of a result that is none is its form: %j',
    (result) => {
      expect(() => taskOutcome(result as never)).toThrow('malformed')
    },
  )
})
