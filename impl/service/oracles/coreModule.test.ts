import { parse } from '@bytecodealliance/jco'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capModules, compileModule } from './coreModule.ts'

const page = 65_536

type Grown = {
  memory?: { grow(pages: number): number; buffer: ArrayBuffer }
  table?: { grow(entries: number): number; length: number }
  answer?: () => number
}

async function instance(bytes: Uint8Array): Promise<Grown> {
  const module = await compileModule(bytes)
  const { WebAssembly: engine } = globalThis as unknown as {
    WebAssembly: { Instance: new (module: object) => { exports: Grown } }
  }
  return new engine.Instance(module).exports
}

const withMemory = (limits: string) =>
  parse(`(module
    (memory (export "memory") ${limits})
    (data (i32.const 0) "*")
    (func (export "answer") (result i32) (i32.load8_u (i32.const 0))))`)

describe('linear memory', () => {
  test.each([
    ['without a maximum', '1', 4],
    ['with a larger maximum', '1 65536', 4],
    ['with a smaller maximum', '1 3', 3],
    ['that starts at the limit', '4', 4],
  ])('a memory %s grows only to its limit', async (_case, limits, pages) => {
    const [capped] = capModules([await withMemory(limits)], 4 * page)
    expect(capped?.maxMemoryBytes).toBe(pages * page)
    const { memory, answer } = await instance(capped!.bytes)
    while (memory!.buffer.byteLength < pages * page) memory!.grow(1)
    expect(() => memory!.grow(1)).toThrow(RangeError)
    expect(answer?.()).toBe(42)
  })

  test('memories of several modules share the limit', async () => {
    const modules = await Promise.all([withMemory('1'), withMemory('2'), withMemory('0 1')])
    const capped = capModules(modules, 9 * page)
    expect(capped.map(({ maxMemoryBytes }) => maxMemoryBytes / page)).toEqual([3, 4, 1])
  })

  test('an initial size beyond the limit is rejected', async () => {
    const module = await withMemory('5')
    expect(() => capModules([module], 4 * page)).toThrow(
      'the component starts with 5 pages of linear memory, the limit is 4',
    )
  })

  test('shared memories are rejected', async () => {
    const module = await withMemory('1 2 shared')
    expect(() => capModules([module], 4 * page)).toThrow('shared memories')
  })

  test('a module without memory is unchanged', async () => {
    const module = await parse('(module (func (export "answer") (result i32) (i32.const 42)))')
    const [capped] = capModules([module], 4 * page)
    expect(capped).toEqual({ bytes: module, maxMemoryBytes: 0 })
  })
})

describe('tables', () => {
  test('grow only to a limit, and keep their elements', async () => {
    const module = await parse(`(module
      (table (export "table") 1 funcref)
      (elem (i32.const 0) $answer)
      (func $answer (export "answer") (result i32) (call_indirect (result i32) (i32.const 0)))
      (func $unused))`)
    const [capped] = capModules([module], page)
    const { table } = await instance(capped!.bytes)
    table!.grow(999_999)
    expect(() => table!.grow(1)).toThrow(RangeError)
  })

  test('a table with a too large initial size is rejected', async () => {
    const module = await parse('(module (table 1000001 funcref))')
    expect(() => capModules([module], page)).toThrow('starts with a table of 1000001 entries')
  })
})

test('invalid bytes cause no error other than an oracle error', () => {
  const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(4, 5, 0), (tail, id) => {
      const bytes = Uint8Array.from([...magic, ...(id === 0 ? [] : [id, tail.length]), ...tail])
      try {
        capModules([bytes], page)
      } catch (error) {
        expect(error).toHaveProperty('name', 'OracleError')
      }
    }),
  )
})
