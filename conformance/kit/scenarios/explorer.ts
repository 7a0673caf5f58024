import { type Address, getAddress } from 'viem'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import {
  expectEqual,
  expectObject,
  expectThat,
  isObject,
  type JsonObject,
} from '../../core/expect.ts'
import type { ExplorerOptions } from '../../core/gateway.ts'
import { shownAnswer } from '../assertions/shownAnswer.ts'
import { fixture } from './fixtures.ts'

/** What a check of the explorer needs (section 4.12). */
export const explorerNeeds = ['explorer', 'key:read'] as const

/** The same for one that creates a task and looks it up. */
export const explorerTaskNeeds = [
  ...explorerNeeds,
  'sender',
  'chain',
  `client:${fixture.simple}`,
] as const

export const ask = (t: CheckContext, path: string, options?: ExplorerOptions): Promise<Answer> =>
  t.explorer().get(path, options)

/** The media type is always JSON (section 4.12). */
function expectJson(answer: Answer): void {
  const type = answer.exchange.headers['content-type']
  expectThat(
    /^application\/json\s*(;|$)/i.test(type ?? ''),
    'the content type',
    'application/json',
    type,
  )
  expectThat(answer.json !== undefined, 'the body', 'JSON', shownAnswer(answer))
}

/** A success: 200 and a JSON object. */
export function expectFound(answer: Answer): JsonObject {
  expectThat(answer.status === 200, 'the HTTP status', 200, shownAnswer(answer))
  expectJson(answer)
  expectObject(answer.json, 'the body')
  return answer.json
}

/** A refusal with the text of section 7.6: only `detail` in the body. */
export function expectDetail(answer: Answer, status: number, detail: string): void {
  expectThat(answer.status === status, 'the HTTP status', status, shownAnswer(answer))
  expectJson(answer)
  expectEqual(answer.json, { detail }, 'the body')
}

/** Whether a detail says something: its form is open (section 7.6). */
const saysSomething = (detail: unknown) =>
  (typeof detail === 'string' && detail !== '') ||
  (typeof detail === 'object' && detail !== null && Object.keys(detail).length > 0)

/** A validation error: 422, and the body has a detail in any format. */
export function expectInvalid(answer: Answer): unknown {
  expectThat(answer.status === 422, 'the HTTP status', 422, shownAnswer(answer))
  expectJson(answer)
  expectThat(
    isObject(answer.json) && saysSomething(answer.json.detail),
    'the body',
    'an object with a detail: a text, or a list or object that is not empty',
    shownAnswer(answer),
  )
  return answer.json.detail
}

/**
 * The ways to write an id or address: whether their case matters is open (clause 4.12-26), so that an
 * explorer may find them only in lower case, or only with their checksum, or only as it shows them.
 */
export function writings(hex: unknown): readonly string[] {
  const given = String(hex)
  const lower = given.toLowerCase()
  const isAddress = /^0x[0-9a-f]{40}$/.test(lower)
  return [...new Set([given, lower, ...(isAddress ? [getAddress(lower as Address)] : [])])]
}

/** The answer for the writing of an id or address that is found; the last 404 without one. */
async function askAny(
  t: CheckContext,
  hex: unknown,
  pathOf: (written: string) => string,
  options?: ExplorerOptions,
): Promise<Answer> {
  const [first, ...others] = writings(hex)
  let answer = await ask(t, pathOf(first!), options)
  for (const other of others) {
    if (answer.status !== 404) return answer
    answer = await ask(t, pathOf(other), options)
  }
  return answer
}

/** The detail of a task. */
export const askTask = (t: CheckContext, id: unknown, options?: ExplorerOptions) =>
  askAny(t, id, (written) => `/task/${written}`, options)

/** A policy. */
export const askPolicy = (t: CheckContext, address: unknown, options?: ExplorerOptions) =>
  askAny(t, address, (written) => `/policy/${written}`, options)

export const policyNotFound = 'Policy Template not found.'

/**
 * Whether it is the list of a policy that the explorer does not know: an empty one, or the error of an
 * unknown policy.
 */
export function isUnknownList(answer: Answer): boolean {
  const { status, json } = answer
  if (status === 404 && isObject(json) && json.detail === policyNotFound) return true
  return status === 200 && isObject(json) && json.total === 0
}

/** The network name in rows of the target's own chain. */
export const networkOf = (t: CheckContext): string => t.target.explorerNetwork ?? 'testnet'
