import { randomUUID } from 'node:crypto'
import { type Hex, keccak256, toHex } from 'viem'
import type { Intent } from '../../arbitraries/intent.ts'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import {
  expectEqual,
  expectFinding,
  expectMatch,
  expectThat,
  isObject,
  type JsonObject,
} from '../../core/expect.ts'
import type { CallOptions } from '../../core/gateway.ts'
import { lacking } from '../../targets/targetLine.ts'
import { expectResultObject } from '../assertions/expectAnswer.ts'
import { fixture } from './fixtures.ts'

/** A request as text, for checks that change its bytes. */
export const rpcBody = (
  t: CheckContext,
  method: string,
  params: unknown,
  id: string = randomUUID(),
): string => JSON.stringify({ jsonrpc: '2.0', method: t.gateway.method(method), params, id })

/** The cheapest valid call, once per run: the twin of invalid envelopes. */
export const publicKey = (t: CheckContext): Promise<Answer> =>
  t.once('getSecretsPublicKey', (gateway) => gateway.call('getSecretsPublicKey', {}))

/**
 * The result of a method that returns a public key. Checks that need any success use it, because
 * only a gateway that serves the method has such a result.
 */
export function expectPublicKey(answer: Answer): JsonObject {
  const result = expectResultObject(answer)
  expectMatch(result.public_key, /^(0x)?[0-9a-f]{64}$/i, 'public_key')
  return result
}

/**
 * The result of getPrivacyPublicKey; undefined where a gateway does not serve the key. It is specified
 * as in development, so the error for it is open (clause 4.10-07), but it is no refusal of the API key.
 */
export function expectPrivacyKey(answer: Answer): JsonObject | undefined {
  const unserved = failureOf(answer) !== undefined && [200, 502].includes(answer.status)
  return unserved ? undefined : expectPublicKey(answer)
}

/** The result of a response that may be an error, or not JSON-RPC. */
export const resultOf = ({ json }: Answer): unknown => (isObject(json) ? json.result : undefined)

/** The error text of a response, wherever it is; undefined for a success. */
export function failureOf(answer: Answer): string | undefined {
  const { json } = answer
  if (!isObject(json)) return `HTTP ${answer.status}`
  if (isObject(json.error)) {
    const { code, message } = json.error
    return code === undefined ? JSON.stringify(json.error) : `${code} ${message}`
  }
  const { result } = json
  if (
    isObject(result) &&
    (result.success === false || result.status === 'failed' || result.status === 'timeout')
  )
    return result.error === undefined ? 'a failure without an error' : String(result.error)
  return undefined
}

/** A failure in any form, with any HTTP status. */
export function expectNoSuccess(answer: Answer, message: RegExp = /\S/): string {
  const failure = failureOf(answer)
  const expected = message.source === '\\S' ? 'a failure' : `a failure matching ${message}`
  expectFinding(failure !== undefined, 'the operation did not fail', expected, answer.json)
  expectMatch(failure, message, 'the error')
  return failure
}

/**
 * A failure in any form that the specification allows: an error object or `success: false`, not
 * 5xx.
 */
export function expectFailure(answer: Answer, message: RegExp = /\S/): string {
  expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
  expectFinding(
    isObject(answer.json),
    'the response is not a JSON object',
    'a JSON object',
    answer.exchange.body,
  )
  return expectNoSuccess(answer, message)
}

/** Number of values drawn per check: a check draws the same values, whatever runs beside it. */
const drawn = new WeakMap<CheckContext['seed'], number>()

function nextOf(t: CheckContext): number {
  // Keyed by the check's function, which survives copies of the context.
  const next = (drawn.get(t.seed) ?? 0) + 1
  drawn.set(t.seed, next)
  return next
}

/** A unique number of wei in the run, so that no two tasks are duplicates. */
export function freshValue(t: CheckContext): Hex {
  const use = `value ${nextOf(t)}`
  const low = BigInt(t.seed(`${use}, low`) & 0x1fff)
  return toHex(1_000n + (BigInt(t.seed(use) >>> 0) << 13n) + low)
}

/** A unique sender: for intents whose value is fixed, so that none are equal. */
export const newSender = (t: CheckContext): Hex =>
  `0x${keccak256(toHex(`sender ${t.seed()} ${nextOf(t)}`)).slice(-40)}`

export function senderOf(t: CheckContext): Hex {
  const sender = t.target.accounts?.sender?.address
  if (sender === undefined) throw lacking('the target has no sender of intents', 'sender', t.target)
  return sender
}

export const recipientOf = (t: CheckContext): Hex =>
  t.target.accounts?.recipient?.address ?? '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** A recipient that no fixture's policy lists. */
export const unlistedRecipient: Hex = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'

export function chainIdOf(t: CheckContext): number {
  const chainId = t.target.chain?.chainId
  if (chainId === undefined) throw lacking('the target has no chain id', 'chain', t.target)
  return chainId
}

/** A native transfer by the sender, with a unique value. */
export const transferIntent = (t: CheckContext, overrides: Partial<Intent> = {}): Intent => ({
  from: senderOf(t),
  to: recipientOf(t),
  value: freshValue(t),
  data: '0x',
  chain_id: toHex(chainIdOf(t)),
  function_signature: '0x',
  ...overrides,
})

export type TaskParams = Record<string, unknown> & { policy_client: Hex; intent: Intent }

/** Params of a task that the fixture's policy decides without further input. */
export const taskParams = (
  t: CheckContext,
  name: string = fixture.simple,
  overrides: Record<string, unknown> = {},
): TaskParams => ({
  policy_client: t.client(name).policyClient,
  intent: transferIntent(t),
  ...overrides,
})

export const createTask = (t: CheckContext, params: unknown, options?: CallOptions) =>
  t.gateway.call('createTask', params, options)

/** The result of a task that must succeed: a signed decision, whichever it is. */
export function expectTask(answer: Answer): JsonObject {
  const result = expectResultObject(answer)
  expectEqual(
    { status: result.status, error: result.error ?? null },
    { status: 'success', error: null },
    'the end of the task',
  )
  return result
}

/** One accepted task with its calldata, shared by all checks that only read it. */
export async function acceptedTask(
  t: CheckContext,
): Promise<{ result: JsonObject; answer: Answer; params: TaskParams }> {
  const shared = await t.once('accepted task', async (gateway) => {
    const params = taskParams(t, fixture.simple, { include_validate_calldata: true })
    const answer = await gateway.call('createTask', params)
    return { params, answer, exchange: answer.exchange }
  })
  return { ...shared, result: expectTask(shared.answer) }
}

/** Replaces the member at `path` with `value`; undefined removes it. */
export function withMember<T>(params: T, path: string, value: unknown): T {
  const copy = structuredClone(params)
  const names = path.split('.')
  const last = names.pop()!
  let holder = copy as Record<string, unknown>
  for (const name of names) holder = holder[name] as Record<string, unknown>
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return copy
}
