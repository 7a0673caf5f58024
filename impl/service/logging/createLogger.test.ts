import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLogger, maxLine } from './createLogger.ts'

function open() {
  const lines: string[] = []
  const logger = createLogger({
    level: 'trace',
    destination: { write: (line) => void lines.push(line) },
  })
  const only = () => {
    expect(lines).toHaveLength(1)
    return lines[0] as string
  }
  return { logger, only, line: () => JSON.parse(only()) as Record<string, never> }
}

it('adds members to every line', () => {
  const lines: string[] = []
  let trace: object = { trace_id: 'a', span_id: 'b' }
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
    fields: () => trace,
  })
  logger.info({ task: '0x1' }, 'within a trace')
  trace = {}
  logger.info('outside')
  const [within, outside] = lines.map((line) => JSON.parse(line) as object)
  expect(within).toMatchObject({ trace_id: 'a', span_id: 'b', task: '0x1' })
  expect(outside).not.toHaveProperty('trace_id')
})

const megabyte = 'a'.repeat(1024 * 1024)
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ inner, more: [inner] }), megabyte)

/**
 * An error as a library reports a revert with a megabyte of data, which it contains several times.
 */
function revertError(): Error {
  const bytes = new Uint8Array(1024 * 1024).fill(7)
  const inner = Object.assign(new Error(megabyte), { data: `0x${megabyte}`, raw: bytes, code: 3 })
  const middle = Object.assign(new Error(`reverted: ${megabyte}`, { cause: inner }), {
    details: megabyte,
    metaMessages: Array.from({ length: 1000 }, () => megabyte),
    bytes: [...bytes],
  })
  return new Error(megabyte, { cause: middle })
}

describe('a line of the log', () => {
  it('is short for a contract that reverts with a megabyte of data', () => {
    const { logger, line, only } = open()
    logger.error({ err: revertError() }, 'internal error')
    expect(only().length).toBeLessThan(16 * 1024)
    expect(line()).toMatchObject({
      msg: 'internal error',
      err: { type: 'Error', cause: { cause: { code: 3, raw: '[1048576 bytes]' } } },
    })
  })

  it.each([
    ['an error alone', () => [revertError()]],
    ['an error and a text', () => [revertError(), megabyte]],
    ['a text', () => [megabyte]],
    ['a text with values', () => ['%s %j', megabyte, { megabyte }]],
    ['many members', () => [Object.fromEntries(Array.from({ length: 1e5 }, (_, n) => [n, n]))]],
    ['long names', () => [{ [megabyte]: 1 }, 'x']],
    ['names and texts that are escaped', () => [{ ['\u0001'.repeat(1e5)]: '\u0001'.repeat(1e6) }]],
    ['many lists', () => [{ a: Array.from({ length: 1e4 }, () => Array(1e3).fill('\u0001')) }]],
    ['depth', () => [{ a: nested(30) }, 'x']],
    ['bytes', () => [{ a: new Uint8Array(1e6), b: Buffer.alloc(1e6), c: [new ArrayBuffer(9)] }]],
    ['huge numbers', () => [{ a: 10n ** 100_000n, b: Number.NaN }]],
  ])('is bounded and valid JSON for %s', (_, args) => {
    const { logger, only, line } = open()
    ;(logger.warn as (...args: unknown[]) => void)(...args())
    expect(only().length).toBeLessThanOrEqual(maxLine)
    expect(line().level).toBe(40)
  })

  it('marks cycles and unreadable members', () => {
    const { logger, line } = open()
    const a: Record<string, unknown> = {}
    a.self = a
    Object.defineProperty(a, 'bad', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    const err = new Error('x')
    err.cause = err
    logger.info(
      {
        a,
        err,
        gone: new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no')
            },
          },
        ),
      },
      'x',
    )
    expect(line()).toMatchObject({
      a: { self: '[circular]', bad: '[unreadable]' },
      err: { message: 'x', cause: '[circular]' },
      gone: '[unreadable]',
    })
  })

  it('is bounded for child loggers, and keeps their names', () => {
    const { logger, line, only } = open()
    logger.child({ part: 'posting', more: megabyte }).info('x')
    expect(only().length).toBeLessThanOrEqual(maxLine)
    expect(line()).toMatchObject({ part: 'posting', msg: 'x' })
  })

  it('leaves ordinary values unchanged', () => {
    const { logger, line } = open()
    const fields = {
      method: 'createTask',
      status: 200,
      ms: 1.5,
      code: -32602,
      list: [1, 'a', null],
    }
    logger.info({ ...fields, at: new Date(0) }, 'rpc')
    expect(line()).toMatchObject({ ...fields, at: '1970-01-01T00:00:00.000Z', msg: 'rpc' })
  })

  it('is bounded and valid JSON for any value (property)', () => {
    const grown = fc
      .tuple(
        fc.anything({ withBigInt: true, withTypedArray: true, withSparseArray: true }),
        fc.nat(5),
      )
      .map(([value, times]) => {
        const cyclic: Record<string, unknown> = { value }
        cyclic.cyclic = [cyclic, value]
        return Array.from({ length: times }).reduce<unknown>(
          (inner) => ({
            inner,
            text: 'é'.repeat(10 ** times),
            list: Array(10 ** times).fill(inner),
          }),
          cyclic,
        )
      })
    fc.assert(
      fc.property(fc.array(grown, { minLength: 1, maxLength: 3 }), (args) => {
        const { logger, only, line } = open()
        ;(logger.error as (...args: unknown[]) => void)(...args)
        expect(only().length).toBeLessThanOrEqual(maxLine)
        expect(only().endsWith('\n')).toBe(true)
        expect(line().level).toBe(50)
      }),
      { numRuns: 60 },
    )
  })
})
