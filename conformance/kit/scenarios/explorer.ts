import { type Address, getAddress } from 'viem'
import type { Answer } from '../../core/answer.ts'
import { NotInTime } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import type { KeyName, OwnKey } from '../../core/exchange.ts'
import {
  expectEqual,
  expectObject,
  expectThat,
  isObject,
  type JsonObject,
  show,
} from '../../core/expect.ts'
import type { ExplorerOptions } from '../../core/gateway.ts'
import { array, expectShape, natural, positive, type Rule } from '../assertions/shape.ts'
import { fixture } from './fixtures.ts'
import { pause } from './pause.ts'

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

const seen = (answer: Answer) => `HTTP ${answer.status}: ${show(answer.exchange.body)}`

/** The media type is always JSON (section 4.12). */
function expectJson(answer: Answer): void {
  const type = answer.exchange.headers['content-type'] ?? 'absent'
  expectThat(/^application\/json\s*(;|$)/i.test(type), 'the content type', 'application/json', type)
  expectThat(answer.json !== undefined, 'the body', 'JSON', seen(answer))
}

/** A success: 200 and a JSON object. */
export function expectFound(answer: Answer): JsonObject {
  expectThat(answer.status === 200, 'the HTTP status', 200, seen(answer))
  expectJson(answer)
  expectObject(answer.json, 'the body')
  return answer.json
}

/** A refusal with the text of section 7.6: only `detail` in the body. */
export function expectDetail(answer: Answer, status: number, detail: string): void {
  expectThat(answer.status === status, 'the HTTP status', status, seen(answer))
  expectJson(answer)
  expectEqual(answer.json, { detail }, 'the body')
}

/** Whether a detail says something: its form is open (section 7.6). */
const saysSomething = (detail: unknown) =>
  (typeof detail === 'string' && detail !== '') ||
  (typeof detail === 'object' && detail !== null && Object.keys(detail).length > 0)

/** A validation error: 422, and the body has a detail in any format. */
export function expectInvalid(answer: Answer): unknown {
  expectThat(answer.status === 422, 'the HTTP status', 422, seen(answer))
  expectJson(answer)
  expectThat(
    isObject(answer.json) && saysSomething(answer.json.detail),
    'the body',
    'an object with a detail: a text, or a list or object that is not empty',
    seen(answer),
  )
  return answer.json.detail
}

/** A page of a list. */
export type Page = {
  readonly total: number
  readonly page: number
  readonly size: number
  readonly results: readonly JsonObject[]
}

const pageRules: Record<string, Rule> = {
  total: natural,
  page: positive,
  size: positive,
  results: array,
}

/** A page with the format of section 4.12, the requested page and size, and its rows. */
export function expectPage(answer: Answer, asked: { page: number; size: number }): Page {
  const body = expectFound(answer)
  expectShape(body, pageRules, 'the page')
  const page = body as unknown as Page
  const last = Math.max(1, Math.ceil(page.total / asked.size))
  // What a page past the last contains is open (clause 4.12-24): it may be the last one again.
  const isLastAgain = asked.page > last && page.page === last
  const expected = isLastAgain ? { ...asked, page: last } : asked
  expectEqual({ page: page.page, size: page.size }, expected, 'page and size')
  for (const row of page.results) expectObject(row, 'a row of results')
  const most = Math.min(asked.size, Math.max(0, page.total - (asked.page - 1) * asked.size))
  // Rows may be added between count and query: only a full page is certain.
  const holds =
    page.results.length <= asked.size && (most < asked.size || page.results.length === most)
  expectThat(
    holds,
    'the number of rows',
    `${most} of a total of ${page.total}`,
    page.results.length,
  )
  return page
}

export async function fetchPage(
  t: CheckContext,
  path: string,
  page: number,
  size: number,
  options: Omit<ExplorerOptions, 'query'> & { readonly query?: Record<string, string> } = {},
): Promise<Page> {
  const query = { ...options.query, page, size }
  return expectPage(await ask(t, path, { ...options, query }), { page, size })
}

/** Pages that are read of a list with more of them: half at its start, half at its end. */
const mostPages = 20

/** Rows of a list; `whole` unless it has more than were read. */
export type ListRows = { readonly rows: readonly JsonObject[]; readonly whole: boolean }

/**
 * A list, page by page, until one is not full. Of a long one the first and the last pages: a target may
 * have been in use for years, and the order of lists is open.
 */
export async function readList(t: CheckContext, path: string, size = 100): Promise<ListRows> {
  const rows: JsonObject[] = []
  const read = async (page: number) => {
    const got = await fetchPage(t, path, page, size)
    rows.push(...got.results)
    return got
  }
  const first = await read(1)
  const last = Math.ceil(first.total / size)
  if (last > mostPages) {
    for (let page = 2; page <= mostPages / 2; page++) await read(page)
    for (let page = last - mostPages / 2 + 1; page <= last; page++) await read(page)
    t.observe(
      `${path} has ${first.total} rows: the first and last ${(mostPages / 2) * size} were read`,
    )
    return { rows, whole: false }
  }
  let { results, total } = first
  for (let page = 2; results.length === size && (page - 1) * size < total; page++)
    ({ results, total } = await read(page))
  return { rows, whole: true }
}

/** The rows of a list, of a long one as many as `readList` reads. */
export const callAll = async (t: CheckContext, path: string): Promise<readonly JsonObject[]> =>
  (await readList(t, path)).rows

/**
 * The same, each row once: where rows are added meanwhile, the last of a page is the first of the next
 * one too. For checks that count; whether a settled list repeats a row is checked elsewhere.
 */
export async function distinctRows(t: CheckContext, path: string): Promise<ListRows> {
  const { rows, whole } = await readList(t, path)
  return { rows: [...new Map(rows.map((row) => [row.id, row])).values()], whole }
}

/** The twin of invalid requests: the list of tasks with default parameters. */
export const acceptedList = async (t: CheckContext): Promise<Page> =>
  expectPage(await t.once('explorer list', () => ask(t, '/task')), { page: 1, size: 10 })

/** Compares ids and addresses case-insensitively: the specification leaves the case open. */
export const sameHex = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()

export const expectHex = (observed: unknown, expected: unknown, what: string): void =>
  expectThat(
    sameHex(observed, expected),
    what,
    typeof expected === 'string' ? expected : `a hex text, compared with ${show(expected)}`,
    observed,
  )

const isAnswer = (value: unknown): value is Answer => isObject(value) && 'exchange' in value

/** Default lag of the explorer, where the chain mines on demand. */
const usualLagMs = 60_000
/** Results wait for earlier ones: a gateway posts a limited number in each block. */
export const blocksOfQueue = 20

/** How long the result of a task may take until it is on chain and in the explorer, milliseconds. */
const lagMs = ({ target: { explorerLagSeconds }, patienceMs }: CheckContext): number =>
  explorerLagSeconds === undefined
    ? patienceMs(usualLagMs, blocksOfQueue)
    : patienceMs(explorerLagSeconds * 1000)

/**
 * Polls until the result is accepted: the explorer may lag behind the chain by as much as the
 * target declares, and a few blocks. `what` is a noun phrase.
 */
export async function until<T>(
  t: CheckContext,
  what: string,
  question: () => Promise<T>,
  done: (value: T) => boolean,
): Promise<T> {
  const ms = lagMs(t)
  const deadline = performance.now() + ms
  for (let wait = 50; ; wait = Math.min(wait * 1.5, 1_000)) {
    const value = await question()
    if (done(value)) return value
    if (performance.now() > deadline)
      throw new NotInTime(`${what} did not appear`, {
        expected: `within ${Math.round(ms / 1000)} s`,
        observed: isAnswer(value) ? seen(value) : show(value),
      })
    await pause(wait)
  }
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

/** The path of the tasks of a policy, with its id or address as the explorer finds it. */
export async function listPath(
  t: CheckContext,
  kind: 'id' | 'address',
  hex: unknown,
): Promise<string> {
  const paths = writings(hex).map((written) => `/policy/${kind}/${written}/task`)
  if (paths.length > 1)
    for (const path of paths)
      if (!isUnknownList(await ask(t, path, { query: { page: 1, size: 1 } }))) return path
  return paths[0]!
}

/** Waits until the explorer knows a new key: how soon that is, is open (clause 5.6-14). */
export async function expectKnownKey(t: CheckContext, key: KeyName | OwnKey): Promise<void> {
  await until(
    t,
    'the new key in the explorer',
    () => ask(t, '/task', { key }),
    ({ status }) => status !== 401,
  )
}

/** 404 and an unfinished row are retried; any other response is returned. */
const unless =
  (done: (row: JsonObject) => boolean) =>
  ({ status, json }: Answer): boolean =>
    status !== 404 && (status !== 200 || !isObject(json) || done(json))

/**
 * Waits until the explorer shows the task in the expected state. Fails immediately if it is not an
 * explorer.
 */
export async function shownTask(
  t: CheckContext,
  id: unknown,
  what = 'the task in the explorer',
  done: (detail: JsonObject) => boolean = () => true,
): Promise<JsonObject> {
  await acceptedList(t)
  const answer = await until(t, what, () => askTask(t, id), unless(done))
  return expectFound(answer)
}

export async function shownPolicy(
  t: CheckContext,
  address: unknown,
  done: (policy: JsonObject) => boolean = () => true,
): Promise<JsonObject> {
  const what = 'the policy in the explorer'
  await acceptedList(t)
  const answer = await until(t, what, () => askPolicy(t, address), unless(done))
  return expectFound(answer)
}

/** The network name in rows of the target's own chain. */
export const networkOf = (t: CheckContext): string => t.target.explorerNetwork ?? 'testnet'
