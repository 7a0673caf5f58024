import { expect, test } from 'vitest'
import { createLoadedComponents, type LoadedComponent } from './loadedComponents.ts'
import { OracleError } from './oracleError.ts'

const component = (bytes: number): LoadedComponent => ({
  interface: { imports: [], run: undefined },
  key: '',
  source: '',
  modules: {},
  bytes,
})
const memory = (limits: { most?: number; mostBytes?: number } = {}, clock = { now: () => 0 }) =>
  createLoadedComponents({ most: 100, mostBytes: 100, clock, ...limits })
type Memory = ReturnType<typeof memory>
const load = (all: Memory, cid: string, bytes: number) =>
  all.load(cid, async () => component(bytes))
const has = async (all: Memory, cid: string) => (await all.use(cid, async () => true)) ?? false

test('the least recently used are evicted, by bytes', async () => {
  const all = memory()
  await load(all, 'a', 40)
  await load(all, 'b', 40)
  await has(all, 'a')
  await load(all, 'c', 40)
  expect([await has(all, 'a'), await has(all, 'b'), await has(all, 'c')]).toEqual([
    true,
    false,
    true,
  ])
  expect(all.bytes).toBe(80)
})

test('and by their number', async () => {
  const all = memory({ most: 2 })
  for (const cid of ['a', 'b', 'c']) await load(all, cid, 1)
  expect([await has(all, 'a'), await has(all, 'b'), await has(all, 'c')]).toEqual([
    false,
    true,
    true,
  ])
})

test('one in use is evicted only afterwards', async () => {
  const all = memory()
  await load(all, 'a', 60)
  let end = () => {}
  const running = all.use('a', () => new Promise<void>((resolve) => (end = resolve)))
  await load(all, 'b', 60)
  expect(all.bytes).toBe(120)
  await load(all, 'c', 30)
  expect(await has(all, 'b')).toBe(false)
  end()
  await running
  expect(all.bytes).toBe(90)
  await load(all, 'd', 30)
  expect(await has(all, 'a')).toBe(false)
  expect(all.bytes).toBe(60)
})

test('one larger than the limit is still available to its caller', async () => {
  const all = memory()
  await load(all, 'a', 50)
  await load(all, 'huge', 500)
  expect([await has(all, 'a'), all.bytes]).toEqual([false, 500])
  await load(all, 'b', 50)
  expect([await has(all, 'huge'), all.bytes]).toEqual([false, 50])
})

test('is loaded once for concurrent callers', async () => {
  const all = memory()
  let times = 0
  const prepare = async () => {
    times += 1
    return component(1)
  }
  await Promise.all([all.load('a', prepare), all.load('a', prepare)])
  await all.load('a', prepare)
  expect(times).toBe(1)
})

test.each(['work', 'late', 'memory', 'queue', 'aborted', 'content', 'trap'] as const)(
  'a failure of kind %s is not cached',
  async (code) => {
    const all = memory()
    const late = async () => {
      throw new OracleError(code, 'not now')
    }
    await expect(all.load('a', late)).rejects.toThrow('not now')
    await load(all, 'a', 1)
    expect(await has(all, 'a')).toBe(true)
  },
)

test('a rejection is cached for a while, other failures are not', async () => {
  let now = 0
  const all = memory({}, { now: () => now })
  let times = 0
  const failing = (error: Error) => async () => {
    times += 1
    throw error
  }
  const refuse = failing(new OracleError('component', 'no'))
  for (let time = 0; time < 3; time += 1) {
    await expect(all.load('a', refuse)).rejects.toThrow('no')
  }
  expect(times).toBe(1)
  now += 600_001
  await expect(all.load('a', refuse)).rejects.toThrow('no')
  expect(times).toBe(2)
  for (let time = 0; time < 2; time += 1) {
    await expect(all.load('b', failing(new Error('gone')))).rejects.toThrow('gone')
  }
  expect(times).toBe(4)
})
