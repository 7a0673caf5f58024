import { type Hex, toHex } from 'viem'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectObject, expectThat, isObject } from '../../core/expect.ts'
import { fixture } from './fixtures.ts'
import { policyDataWithComponent } from './newClient.ts'
import { chainIdOf, expectFailure, failureOf } from './requests.ts'
import { expectOracleRun, simulatePolicyData } from './secrets.ts'

/**
 * The probe is an oracle that executes steps given by its caller: see `fixtures/oracles/probe`. The
 * steps are not readable in the request, so a response that contains their text got it from the
 * oracle.
 */
export type Step = Uint8Array

const mask = 0x55

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function counted(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as Uint8Array)
  return Buffer.concat([word(bytes.length), bytes])
}

const plain = (code: number): Step => Uint8Array.of(code)

export type ProbeRequest = {
  readonly url: string
  readonly method?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: Uint8Array
}

/** The steps of a probe. */
export const step = {
  fetch: ({ url, method = 'GET', headers = [], body }: ProbeRequest): Step =>
    Buffer.concat([
      plain(1),
      counted(url),
      counted(method),
      word(headers.length),
      ...headers.flatMap(([name, value]) => [counted(name), counted(value)]),
      plain(body === undefined ? 0 : 1),
      counted(body ?? ''),
    ]),
  /** Reads the secrets. */
  get: plain(2),
  /** Returns this text, without the pack id, and ends. */
  say: (text: string): Step => Buffer.concat([plain(3), counted(text)]),
  /** Returns the error case, and ends. */
  err: (text: string): Step => Buffer.concat([plain(4), counted(text)]),
  trap: plain(5),
  loop: plain(6),
  /** Allocates memory until none is left, and traps. */
  grow: plain(7),
  recurse: plain(8),
  /** Allocates so many pages of 64 KiB, once. */
  take: (pages: number): Step => Buffer.concat([plain(9), word(pages)]),
  /** Reads the wall clock. */
  clock: plain(10),
  /** Gets a random 64-bit number. */
  random: plain(11),
} as const

/** `wasm_args` of a probe. */
export function tape(...steps: readonly Step[]): Hex {
  const bytes = Buffer.concat([...steps, plain(0)]).map((byte) => byte ^ mask)
  return toHex(JSON.stringify({ tape: Buffer.from(bytes).toString('hex') }))
}

/** Result of a step. Bytes are raw; at most 4,096 bytes of a body are kept, `size` counts all. */
export type Done =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
      readonly size: number
      readonly body: Buffer
    }
  | { readonly kind: 'value'; readonly value: Buffer }
  | { readonly kind: 'error'; readonly error: string }
  /** The run ended before the result. */
  | { readonly kind: 'ended'; readonly error: string }
  | { readonly kind: 'grown'; readonly grown: boolean }
  | { readonly kind: 'clock'; readonly unixMs: number }
  | { readonly kind: 'random'; readonly random: string }

const bytesOf = (hex: unknown) => Buffer.from(String(hex), 'hex')

function doneOf(entry: unknown): Done {
  expectObject(entry, 'the result of a probe step')
  if ('status' in entry) {
    const headers = (entry.headers as string[][]).map(
      ([name, value]) => [bytesOf(name).toString(), bytesOf(value).toString()] as const,
    )
    const { status, size, body } = entry
    return {
      kind: 'response',
      status: Number(status),
      headers,
      size: Number(size),
      body: bytesOf(body),
    }
  }
  if ('value' in entry) return { kind: 'value', value: bytesOf(entry.value) }
  if ('error' in entry) return { kind: 'error', error: bytesOf(entry.error).toString() }
  if ('clock' in entry) {
    const time = bytesOf(entry.clock)
    const ms = Math.floor(time.readUInt32LE(8) / 1e6)
    return { kind: 'clock', unixMs: Number(time.readBigUInt64LE(0)) * 1000 + ms }
  }
  if ('random' in entry) return { kind: 'random', random: String(entry.random) }
  return { kind: 'grown', grown: entry.grown === true }
}

/** The results of the steps, from the output of the oracle. */
export function stepsOf(data: unknown): readonly Done[] {
  const probe = isObject(data) ? data.probe : undefined
  const done = isObject(probe) ? probe.done : undefined
  expectThat(Array.isArray(done), 'the output of the probe', '{"probe":{"done":[...]}}', data)
  return done.map(doneOf)
}

/** What a check needs that runs a probe without secrets. */
export const probeNeeds = [
  'key:read',
  'chain',
  'owner',
  'oracles',
  `client:${fixture.probed}`,
] as const

const probeOf = (t: CheckContext) => t.client(fixture.probed).policyData[0]!

/** The PolicyData of the fixture, which declares secrets. */
export const secretProbe = (t: CheckContext): Hex => probeOf(t).address

/** A PolicyData of the same component that declares none, once per run. */
export const openProbe = (t: CheckContext): Promise<Hex> =>
  t.once('probe without secrets', () => policyDataWithComponent(t, probeOf(t).wasmCid))

/** Runs a probe that has no secrets. */
export const runProbe = async (t: CheckContext, ...steps: readonly Step[]): Promise<Answer> =>
  simulatePolicyData(t, {
    policy_data_address: await openProbe(t),
    chain_id: chainIdOf(t),
    wasm_args: tape(...steps),
  })

/** The results of the steps of a run that must succeed. */
export const expectSteps = (answer: Answer): readonly Done[] =>
  stepsOf(expectOracleRun(answer).data)

/** The same, or the error of the run: past a limit, a gateway may refuse a step or end the run. */
export const stepsOrError = (answer: Answer): readonly Done[] | string =>
  failureOf(answer) === undefined ? expectSteps(answer) : expectFailure(answer)

/** Few enough for one run on a busy machine: its time is limited. */
const stepsARun = 5

/** The number of HTTP calls that a run may make, up to that: open (clause 1-47). */
const callsARun = (t: CheckContext): Promise<number> =>
  t.once('HTTP calls of a run', async () => {
    const calls = Array.from({ length: stepsARun }, () => step.fetch({ url: mirrorUrl(t) }))
    const done = stepsOrError(await runProbe(t, ...calls))
    if (typeof done === 'string') return 1
    return Math.max(1, done.filter(({ kind }) => kind === 'response').length)
  })

async function inRuns(
  t: CheckContext,
  steps: readonly Step[],
  results: (answer: Answer, count: number) => readonly Done[],
): Promise<readonly Done[]> {
  const done: Done[] = []
  const most = await callsARun(t)
  for (let from = 0; from < steps.length; from += most) {
    const some = steps.slice(from, from + most)
    done.push(...results(await runProbe(t, ...some), some.length))
  }
  return done
}

/** The results of many steps that do not end a run, in as many runs as necessary. */
export const manySteps = (t: CheckContext, steps: readonly Step[]): Promise<readonly Done[]> =>
  inRuns(t, steps, expectSteps)

/** The same for steps that may exceed the time of a run: its error is then that of its steps. */
export const lateSteps = (t: CheckContext, steps: readonly Step[]): Promise<readonly Done[]> =>
  inRuns(t, steps, (answer, count) => {
    const done = stepsOrError(answer)
    if (typeof done !== 'string') return done
    return Array.from({ length: count }, () => ({ kind: 'ended', error: done }) as const)
  })

/** The same for a single fetch. */
export const probeFetch = async (t: CheckContext, request: ProbeRequest): Promise<Done> =>
  expectSteps(await runProbe(t, step.fetch(request)))[0]!

/** A response, with any status. */
export function expectResponse(
  done: Done | undefined,
  what: string,
): asserts done is Extract<Done, { kind: 'response' }> {
  expectThat(done?.kind === 'response', what, 'a response', done)
}

/** An error string. */
export function expectStepError(
  done: Done | undefined,
  what: string,
): asserts done is Extract<Done, { kind: 'error' }> {
  expectThat(done?.kind === 'error' && done.error !== '', what, 'an error string', done)
}

/** A URL on the fixture host whose response is determined by the request. */
export const mirrorUrl = (t: CheckContext, path = ''): string =>
  `${t.target.fixtureHostUrl}/mirror${path}`
