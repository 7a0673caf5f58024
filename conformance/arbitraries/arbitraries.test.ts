import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { methods } from 'polgate-protocol/methods.ts'
import { decodeFunctionData, hexToString, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { fixture, hole, text, value } from '../fixtures/arbitraries.ts'
import { parseValue, printValue } from '../fixtures/value.ts'
import { anyChaos, anyChaosFault } from '../kit/servers/arbitraryChaos.ts'
import { isChaos } from '../kit/servers/chaos.ts'
import type { StepOptions } from '../model/step.ts'
import { followings } from '../model/steps/followers.ts'
import { keyChanges } from '../model/steps/keys.ts'
import { blocks, operatorChanges } from '../model/steps/machines.ts'
import { ownerships } from '../model/steps/ownership.ts'
import { creations, submissions } from '../model/steps/tasks.ts'
import { webhookChanges } from '../model/steps/webhooks.ts'
import { bitFlip } from './bitFlip.ts'
import { codePoint } from './codePoint.ts'
import { anyHeaderValue, anyIdLike, anyQuery, isWholeId } from './explorerRequest.ts'
import { arbitraryBytes, ownHeaderName, wholeHeaderValue } from './httpMessage.ts'
import { anyAddress, anyIntent, anyValue } from './intent.ts'
import { anyJson } from './json.ts'
import { everyLaw, type Laws } from './laws.fixture.ts'
import { limitValue } from './limitValue.ts'
import { looseValue } from './looseValue.ts'
import { memberValue } from './memberValue.ts'
import { operatorSubset } from './operatorSubset.ts'
import { anyRequestBody } from './requestBody.ts'
import { anyPricedSecrets, anyProbeSecrets } from './secrets.ts'
import { anyFrame } from './updateFrame.ts'

const laws = <T>(given: Laws<T>): Laws<unknown> => given as unknown as Laws<unknown>

function isJson(value: unknown): boolean {
  const text = JSON.stringify(value)
  return text !== undefined && JSON.stringify(JSON.parse(text)) === text
}
const depthOf = (value: unknown): number =>
  Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isQuantity = (text: string) => /^0x(0|[1-9a-f][0-9a-f]{0,63})$/.test(text)
const isAddress = (text: string) => /^0x[0-9a-f]{40}$/i.test(text)
const isData = (text: string) => /^0x([0-9a-f]{2})*$/i.test(text)

const values = { float: Number.isFinite, text: (v: unknown) => typeof v === 'string' }

/** A step is a function; its text is what a reader sees. */
const stepLaws = (
  arbitrary: fc.Arbitrary<StepOptions>,
  edges: Readonly<Record<string, RegExp>>,
): Laws<unknown> =>
  laws({
    arbitrary: arbitrary.map(({ text }) => text),
    valid: (text) => /^\S[^\n]+\S$/.test(text),
    edges: Object.fromEntries(
      Object.entries(edges).map(([name, pattern]) => [name, (text: string) => pattern.test(text)]),
    ),
  })

/** The laws of each exported arbitrary, by name. A missing one fails the last test. */
const table: Readonly<Record<string, Laws<unknown>>> = {
  anyJson: laws({
    arbitrary: anyJson(),
    valid: isJson,
    edges: {
      deep: (value) => depthOf(value) > 100,
      'a trapped name': (value) => isRecord(value) && Object.hasOwn(value, '__proto__'),
      null: (value) => value === null,
      text: values.text,
    },
  }),
  value: laws({
    arbitrary: value,
    valid: ({ kind }) => typeof kind === 'string',
    edges: {
      null: ({ kind }) => kind === 'null',
      'a hole in a string': (given) =>
        given.kind === 'string' && given.parts.some((part) => typeof part !== 'string'),
      'nested members': (given) =>
        given.kind === 'object' && given.members.some(([, { kind }]) => kind === 'object'),
    },
    print: printValue,
    read: (printed) => parseValue(printed, { holes: true }),
  }),
  looseValue: laws({
    arbitrary: looseValue(),
    valid: isJson,
    edges: {
      hex: (value) => typeof value === 'string' && /^0x[0-9a-f]+$/.test(value),
      'a negative number': (value) => typeof value === 'number' && value < 0,
      'more than ASCII': (value) => typeof value === 'string' && /[^ -~]/.test(value),
    },
  }),
  memberValue: laws({
    arbitrary: memberValue(),
    valid: (value) => value === undefined || isJson(value) || typeof value === 'number',
    edges: { absent: (value) => value === undefined, empty: (value) => value === '' },
    // Values without a JSON form are not sent.
    print: (value) => JSON.stringify(value) ?? 'undefined',
    read: (text) => (text === 'undefined' ? undefined : JSON.parse(text)),
  }),
  anyRequestBody: laws({
    arbitrary: anyRequestBody('svc_'),
    valid: ({ method }) => Object.hasOwn(methods, method.replace('svc_', '')),
    edges: {
      'a list of params': ({ params }) => Array.isArray(params),
      'no params': ({ params }) => isRecord(params) && Object.keys(params).length === 0,
    },
  }),
  anyAddress: laws({
    arbitrary: anyAddress(),
    valid: isAddress,
    edges: { capitals: (text) => /[A-F]/.test(text), small: (text) => /[a-f]/.test(text) },
  }),
  anyValue: laws({
    arbitrary: anyValue(),
    valid: isQuantity,
    edges: {
      zero: (text) => text === '0x0',
      'the largest': (text) => text === `0x${'f'.repeat(64)}`,
      'past 2^53': (text) => BigInt(text) === 2n ** 53n + 1n,
    },
  }),
  limitValue: laws({
    arbitrary: limitValue(),
    valid: (value) => value >= 0n && value <= 10n ** 19n + 1n,
    edges: {
      'the limit': (value) => value === 10n ** 18n,
      'one more': (value) => value === 10n ** 18n + 1n,
      'one less': (value) => value === 10n ** 18n - 1n,
    },
    print: String,
    read: BigInt,
  }),
  anyIntent: laws({
    arbitrary: anyIntent(31337),
    valid: ({ from, to, value, data, chain_id }) =>
      isAddress(from) &&
      isAddress(to) &&
      isQuantity(value) &&
      isData(data) &&
      chain_id === '0x7a69',
    edges: {
      'a transfer': ({ data, function_signature }) => data === '0x' && function_signature === '0x',
      'a call': ({ data }) => data.length > 10,
    },
  }),
  operatorSubset: laws({
    arbitrary: operatorSubset(4),
    valid: (subset) => subset.every((at, i) => at < 4 && at > (subset[i - 1] ?? -1)),
    edges: { none: ({ length }) => length === 0, all: ({ length }) => length === 4 },
  }),
  bitFlip: laws({
    arbitrary: bitFlip(),
    valid: ({ place, bit }) => place >= 0 && place < 1 && Number.isInteger(bit) && bit >= 0,
    edges: {
      'the lowest bit': ({ bit }) => bit === 0,
      'the second half': ({ place }) => place > 0.5,
    },
  }),
  anyIdLike: laws({
    arbitrary: anyIdLike(32),
    valid: (id) => id.length > 0 && !id.includes('/') && id !== '.' && id !== '..',
    edges: {
      'a whole id': (id) => isWholeId(id, 32),
      'one byte less': (id) => isWholeId(id, 32) === false && /^0x[0-9a-f]{62}$/.test(id),
      'a trapped name': (id) => id === '__proto__' || id === 'constructor',
      long: (id) => id.length > 1_000,
    },
    samples: 1_000,
  }),
  anyQuery: laws({
    arbitrary: anyQuery(['page', 'task_window_start']),
    valid: (query) => !/[\s#]/.test(query),
    edges: {
      'a page': (query) => /page=[1-9]/.test(query),
      'a time': (query) => query.includes('task_window_start=20'),
      nothing: (query) => query === '',
    },
  }),
  anyHeaderValue: laws({
    arbitrary: anyHeaderValue(),
    valid: (value) => {
      new Headers({ 'x-api-key': value })
      return true
    },
    edges: {
      'past ASCII': (value) => /[\xa1-\xff]/.test(value),
      long: (value) => value.length > 500,
      'nearly a network': (value) => value === 'TESTNET',
    },
  }),
  ownHeaderName: laws({
    arbitrary: ownHeaderName(),
    valid: (name) => /^X-[A-Za-z0-9-]+$/.test(name),
    edges: { hyphens: (name) => /-.*-/.test(name), short: ({ length }) => length <= 5 },
  }),
  wholeHeaderValue: laws({
    arbitrary: wholeHeaderValue(),
    valid: (value) => value.trim() === value && /^[ -~]+$/.test(value),
    edges: { 'a blank inside': (value) => value.includes(' ') },
  }),
  arbitraryBytes: laws({
    arbitrary: arbitraryBytes(),
    valid: (bytes) => bytes instanceof Uint8Array && bytes.length <= 300,
    edges: {
      none: ({ length }) => length === 0,
      long: ({ length }) => length > 200,
      'no UTF-8': (bytes) => bytes[0] === 0xc3 && bytes[1] === 0x28,
    },
    print: (bytes) => Buffer.from(bytes).toString('hex'),
    read: (text) => new Uint8Array(Buffer.from(text, 'hex')),
  }),
  anyProbeSecrets: laws({
    arbitrary: anyProbeSecrets('canary'),
    valid: (secrets) => isJson(secrets) && Object.keys(secrets).length <= 4,
    edges: {
      'a token that fits': ({ TOKEN }) => TOKEN === '12345678',
      'one letter short': ({ TOKEN }) => TOKEN === '1234567',
      'no text': ({ TOKEN }) => typeof TOKEN === 'number',
      'no token': (secrets) => !('TOKEN' in secrets),
      'too long': ({ NOTE }) => NOTE?.length === 65,
    },
  }),
  anyPricedSecrets: laws({
    arbitrary: anyPricedSecrets('canary'),
    valid: (secrets) => Object.values(secrets).every((value) => typeof value === 'string'),
    edges: {
      'one that is not known': ({ OTHER }) => OTHER === 'value',
      complete: ({ PRICE_API_KEY, PRICE_FEED_URL }) => Boolean(PRICE_API_KEY && PRICE_FEED_URL),
      nothing: (secrets) => Object.keys(secrets).length === 0,
    },
  }),
  anyFrame: laws({
    arbitrary: anyFrame('service.task.0x00'),
    valid: values.text,
    edges: {
      'the topic': (text) => text.includes('"service.task.0x00"'),
      'no JSON': (text) => !/^[[{"\dntf-]/.test(text),
      'no message': (text) => text === 'null',
    },
    samples: 1_500,
  }),
  codePoint: laws({
    arbitrary: codePoint,
    valid: (letter) => [...letter].length === 1 && !/[\ud800-\udfff]/u.test(letter),
    edges: { astral: ({ length }) => length === 2, 'one unit': ({ length }) => length === 1 },
    samples: 2_000,
  }),
  // Their own tests check these against the parser and the printer of fixtures.
  fixture: laws({ arbitrary: fixture, valid: isRecord, edges: {}, samples: 50 }),
  hole: laws({
    arbitrary: hole,
    valid: isRecord,
    edges: { bind: ({ kind }) => kind === 'bind', block: ({ kind }) => kind === 'block' },
  }),
  text: laws({ arbitrary: text, valid: (one) => one !== undefined, edges: {} }),
  anyChaosFault: laws({
    arbitrary: anyChaosFault(),
    valid: (trouble) => isChaos({ trouble, seed: '0x1' }),
    edges: Object.fromEntries(
      [
        'late',
        'status',
        'drip',
        'dropped',
        'reset',
        'garbage',
        'black-hole',
        'twice',
        'doubled',
      ].map((kind) => [kind, (trouble: { kind: string }) => trouble.kind === kind]),
    ),
  }),
  anyChaos: laws({
    arbitrary: anyChaos(['chain', 'operator-0', 'operator-1']),
    valid: (chaos) =>
      chaos.length > 0 &&
      new Set(chaos.map(({ link }) => link)).size === chaos.length &&
      chaos.every(({ link, ...rest }) => link !== '' && isChaos({ ...rest, seed: '0x1' })),
    edges: {
      'one way': ({ length }) => length === 1,
      'every way': ({ length }) => length === 3,
      'every request': (chaos) => chaos.some(({ share }) => share === 1),
    },
  }),
  creations: stepLaws(creations(['allows', 'has no time', 'traps']), {
    allows: /^mine: .*allows$/,
    late: /^theirs: .*has no time$/,
    traps: /traps$/,
  }),
  submissions: stepLaws(submissions(['allows', 'denies']), {
    followed: /allows, followed/,
    alone: /denies$/,
  }),
  followings: stepLaws(followings(), {
    subscribes: /second connection subscribes to task 0/,
    unsubscribes: /unsubscribes/,
    eavesdrops: /other key subscribes/,
  }),
  ownerships: stepLaws(ownerships(), {
    setOwner: /^setOwner\(\)/,
    transferOwnership: /^transferOwnership\(\)/,
    right: /^theirs: storeEncryptedSecrets, the right/,
    wrong: /^mine: storeEncryptedSecrets, the wrong/,
    simulates: /simulatePolicy/,
  }),
  keyChanges: stepLaws(keyChanges(), {
    rotated: /mine is rotated/,
    deleted: /theirs is deleted/,
    made: /new key mine/,
  }),
  webhookChanges: stepLaws(webhookChanges(), {
    registers: /mine: registerWebhook/,
    unregisters: /theirs: unregisterWebhook/,
  }),
  blocks: stepLaws(blocks(), { one: /mines 1 /, most: /mines 4 / }),
  operatorChanges: stepLaws(operatorChanges(4), {
    'the first stops': /operator 0 is stopped/,
    'the last starts': /operator 3 is started/,
  }),
}

describe.each(Object.entries(table))('laws of %s', (_, given) => {
  test.each(Object.entries(everyLaw))('%s', (__, law) => {
    expect(law(given)).toBeUndefined()
  })
})

describe('the laws', () => {
  const broken = (change: Partial<Laws<number>>, name: string) =>
    everyLaw[name]!({
      ...{ arbitrary: fc.nat({ max: 9 }), valid: (n: number) => n >= 0, edges: {} },
      ...change,
    })

  test('hold for a number', () => {
    for (const name of Object.keys(everyLaw)) expect(broken({}, name)).toBeUndefined()
  })
  test('detect values outside the domain', () => {
    expect(broken({ valid: (n) => n < 9 }, 'values are of their domain')).toMatch(/: 9$/)
  })
  test('detect values that are shrunk out of the domain', () => {
    // Its samples are valid: only shrunk values are not.
    const arbitrary = fc.integer({ min: 5, max: 1_000 })
    const unlucky = { arbitrary, valid: (n: number) => n > 5 }
    expect(broken(unlucky, 'shrinking ends, and stays in the domain')).toMatch(/leaves/)
  })
  test('detect an edge that never occurs', () => {
    const edges = { ten: (n: number) => n === 10 }
    expect(broken({ edges }, 'every kind of value occurs')).toBe('none within 500: ten')
  })
  test('detect a constant, external randomness, and values that cannot be parsed again', () => {
    const fixed = { arbitrary: fc.constant(1) }
    expect(broken(fixed, 'another seed gives other values')).toBeDefined()
    let at = 0
    const counted = { arbitrary: fc.nat().map(() => at++) }
    expect(broken(counted, 'the same seed gives the same values')).toBeDefined()
    const odd = { read: () => 1 }
    expect(broken(odd, 'printed values can be parsed')).toMatch(/survive/)
  })
})

test('every exported arbitrary of the suite has its laws', () => {
  const root = new URL('..', import.meta.url).pathname
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|arbitraries\/laws\.fixture\.ts$/.test(name),
  )
  const exported = files.flatMap((name) => {
    const source = readFileSync(join(root, name), 'utf8')
    const alone = source.matchAll(
      /^export (?:const|function) (\w+)(?:: fc\.Arbitrary<|(?: = )?\((?:(?!\n\n|=>|\{\n)[\s\S])*?\): fc\.Arbitrary<)/gm,
    )
    const together = source.matchAll(/^export const \{ ([\w, ]+) \} = fc\.letrec/gm)
    return [
      ...[...alone].map(([, found]) => found!),
      ...[...together].flatMap(([, found]) => found!.split(', ')),
    ]
  })
  expect(exported.sort()).toEqual(Object.keys(table).sort())
})

test('calldata of an intent decodes with its function signature', () => {
  const intents = fc.sample(anyIntent(1), { seed: 7, numRuns: 60 })
  const withCall = intents.filter((intent) => intent.data !== '0x')
  expect(withCall.length).toBeGreaterThan(10)
  for (const intent of withCall) {
    const signatures: readonly string[] = [`function ${hexToString(intent.function_signature)}`]
    const abi = parseAbi(signatures)
    expect(decodeFunctionData({ abi, data: intent.data }).args).toHaveLength(2)
  }
})

describe('requests', () => {
  const sampled = fc.sample(anyRequestBody('svc_'), { seed: 7, numRuns: 2000 })

  test('go to every method', () => {
    const called = new Set(sampled.map(({ method }) => method))
    expect([...called].sort()).toEqual(
      Object.keys(methods)
        .map((name) => `svc_${name}`)
        .sort(),
    )
  })

  test('have members of every depth, and an unknown one', () => {
    const names = new Set(sampled.flatMap(({ params }) => Object.keys(params ?? {})))
    for (const name of ['policy_client', 'function_signature', 'identity_domain', '__proto__'])
      expect(names).toContain(name)
  })
})

describe('requests to the explorer', () => {
  test('ids are valid, nearly valid and invalid, and stay one segment of a path', () => {
    for (const length of [20, 32] as const) {
      const ids = fc.sample(anyIdLike(length), { seed: 7, numRuns: 500 })
      const whole = ids.filter((id) => isWholeId(id, length))
      expect(whole.length).toBeGreaterThan(50)
      expect(ids.length - whole.length).toBeGreaterThan(200)
      for (const id of ids) {
        const { pathname, search, hash } = new URL(`http://127.0.0.1/v1/task/${id}`)
        expect([pathname.split('/').length, search, hash]).toEqual([4, '', ''])
        expect(pathname).toMatch(/^\/v1\/task\/./)
      }
    }
  })

  test('queries name the parameters, some twice, with valid and invalid values', () => {
    const queries = fc.sample(anyQuery(['page', 'size']), { seed: 7, numRuns: 500 })
    const given = queries.flatMap((query) => new URLSearchParams(query).getAll('page'))
    const right = given.filter((value) => /^[1-9]\d*$/.test(value))
    expect(right.length).toBeGreaterThan(20)
    expect(given.length - right.length).toBeGreaterThan(100)
    expect(queries.some((query) => new URLSearchParams(query).getAll('page').length > 1)).toBe(true)
  })
})
