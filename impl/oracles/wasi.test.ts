import { expect, test } from 'vitest'

type Wasi = (name: string) => Record<string, (...args: unknown[]) => unknown> | undefined

const { inertWasi } = (await import(new URL('./wasi.mjs', import.meta.url).href)) as {
  inertWasi(options: {
    nowMs: number
    randomBytes: (length: number) => Uint8Array
    trap: (text: string) => unknown
  }): Wasi
}

const wasi = () =>
  inertWasi({
    nowMs: 1_700_000_000_250,
    randomBytes: (length) => new Uint8Array(length).fill(7),
    trap: (text) => new Error(text),
  })
const call = (name: string, member: string, ...args: unknown[]) => wasi()(name)?.[member]?.(...args)

test('the wall clock stands still at the start of the run', () => {
  const clock = wasi()('wasi:clocks/wall-clock')
  const start = { seconds: 1_700_000_000n, nanoseconds: 250_000_000 }
  expect([clock?.now?.(), clock?.now?.()]).toEqual([start, start])
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

test('what is written to the streams is dropped, and nothing is to be read', () => {
  const out = call('wasi:cli/stdout', 'getStdout') as Record<
    string,
    (bytes?: Uint8Array) => unknown
  >
  expect(out.checkWrite?.()).toBe(65_536n)
  expect(out.blockingWriteAndFlush?.(Uint8Array.of(1))).toBeUndefined()
  const input = call('wasi:cli/stdin', 'getStdin') as { read(): unknown }
  expect(input.read).toThrow(expect.objectContaining({ tag: 'closed' }))
})

test('random bytes are of the given source, and of a bounded number', () => {
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

test('nothing else is WASI here', () => {
  expect(wasi()('wasi:http/types')).toBeUndefined()
  expect(wasi()('wasi:nn/tensor')).toBeUndefined()
})

test('names of the language find nothing, in no interface', () => {
  const host = wasi()
  const interfaces = ['wasi:cli/exit', 'wasi:clocks/wall-clock', 'wasi:random/random']
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf']) {
    expect(host(name)).toBeUndefined()
    for (const known of interfaces) expect(host(known)?.[name]).toBeUndefined()
    // Of what is refused member by member, each member refuses.
    expect(() => host('wasi:filesystem/types')?.[name]?.()).toThrow('access')
  }
})
