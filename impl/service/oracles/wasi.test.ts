import { expect, test } from 'vitest'

type Wasi = (name: string) => Record<string, (...args: unknown[]) => unknown> | undefined

const { inertWasi } = (await import(new URL('./wasi.mjs', import.meta.url).href)) as {
  inertWasi(options: {
    nowMs: number
    passedNs: () => bigint
    randomBytes: (length: number) => Uint8Array
    trap: (text: string) => unknown
  }): Wasi
}

const wasi = (passedNs = () => 0n) =>
  inertWasi({
    nowMs: 1_700_000_000_250,
    passedNs,
    randomBytes: (length) => new Uint8Array(length).fill(7),
    trap: (text) => new Error(text),
  })
const call = (name: string, member: string, ...args: unknown[]) => wasi()(name)?.[member]?.(...args)

function timesOf(host: Wasi) {
  const wall = host('wasi:clocks/wall-clock')?.now?.() as { seconds: bigint; nanoseconds: number }
  const monotonic = host('wasi:clocks/monotonic-clock')?.now?.() as bigint
  return { wall: wall.seconds * 1_000_000_000n + BigInt(wall.nanoseconds), monotonic }
}

test('both clocks advance with real time', () => {
  let passed = 0n
  const host = wasi(() => passed)
  const first = timesOf(host)
  expect(first.wall).toBe(1_700_000_000_250_000_000n)
  passed = 1_750_000_000n
  const later = timesOf(host)
  expect(later.monotonic - first.monotonic).toBe(passed + 1_000n)
  expect(later.wall - first.wall).toBe(passed + 1_000n)
})

test('the wall clock includes waiting times', () => {
  const host = wasi()
  const hour = 3_600_000_000_000n
  const begin = timesOf(host)
  const sleep = host('wasi:clocks/monotonic-clock')?.subscribeDuration?.(hour)
  ;(sleep as { block(): void }).block()
  expect(timesOf(host).wall - begin.wall).toBe(hour + 1_000n)
})

test('the monotonic clock advances by reading and by waiting, without waiting', () => {
  const host = wasi()
  const clock = host('wasi:clocks/monotonic-clock')
  const first = clock?.now?.() as bigint
  expect(clock?.now?.()).toBe(first + 1_000n)
  const hour = 3_600_000_000_000n
  const sleep = clock?.subscribeDuration?.(hour) as { ready(): boolean; due: bigint }
  const longer = clock?.subscribeDuration?.(2n * hour)
  expect(sleep.ready()).toBe(false)
  expect(host('wasi:io/poll')?.poll?.([longer, sleep])).toEqual(Uint32Array.of(1))
  expect(clock?.now?.()).toBe(sleep.due + 1_000n)
})

test('there are no arguments, variables, files or terminals', () => {
  expect(call('wasi:cli/environment', 'getEnvironment')).toEqual([])
  expect(call('wasi:cli/environment', 'getArguments')).toEqual([])
  expect(call('wasi:cli/environment', 'initialCwd')).toBeUndefined()
  expect(call('wasi:filesystem/preopens', 'getDirectories')).toEqual([])
  expect(call('wasi:cli/terminal-stdin', 'getTerminalStdin')).toBeUndefined()
})

test('output to the streams is dropped, and there is no input', () => {
  const out = call('wasi:cli/stdout', 'getStdout') as Record<
    string,
    (bytes?: Uint8Array) => unknown
  >
  expect(out.checkWrite?.()).toBe(65_536n)
  expect(out.blockingWriteAndFlush?.(Uint8Array.of(1))).toBeUndefined()
  const input = call('wasi:cli/stdin', 'getStdin') as { read(): unknown }
  expect(input.read).toThrow(expect.objectContaining({ tag: 'closed' }))
})

test('random bytes come from the given source, in limited number', () => {
  expect(call('wasi:random/random', 'getRandomBytes', 3n)).toEqual(Uint8Array.of(7, 7, 7))
  expect(call('wasi:random/random', 'getRandomU64')).toBe(0x0707_0707_0707_0707n)
  expect(() => call('wasi:random/random', 'getRandomBytes', 1n << 40n)).toThrow('random bytes')
})

test('exit ends the run', () => {
  expect(() => call('wasi:cli/exit', 'exit', { tag: 'ok' })).toThrow('called exit')
})

test('files and sockets are linked, and every call is denied', () => {
  const thrown = (run: () => unknown) => {
    try {
      return run()
    } catch (error) {
      return error
    }
  }
  const types = wasi()('wasi:filesystem/types') as unknown as {
    Descriptor: new () => { openAt(): void }
    filesystemErrorCode(): unknown
  }
  expect(thrown(() => new types.Descriptor().openAt())).toBe('access')
  expect(types.filesystemErrorCode()).toBeUndefined()
  expect(thrown(() => call('wasi:sockets/tcp-create-socket', 'createTcpSocket'))).toBe(
    'access-denied',
  )
})

test('no other WASI interface exists', () => {
  expect(wasi()('wasi:http/types')).toBeUndefined()
  expect(wasi()('wasi:nn/tensor')).toBeUndefined()
})

test('names from JavaScript prototypes are not found in any interface', () => {
  const host = wasi()
  const interfaces = ['wasi:cli/exit', 'wasi:clocks/wall-clock', 'wasi:random/random']
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf']) {
    expect(host(name)).toBeUndefined()
    for (const known of interfaces) expect(host(known)?.[name]).toBeUndefined()
    // In interfaces that deny every call, each member denies.
    expect(() => host('wasi:filesystem/types')?.[name]?.()).toThrow('access')
  }
})
