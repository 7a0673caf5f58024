import { parse } from '@bytecodealliance/jco'
import { describe, expect, test } from 'vitest'
import { capModules, compileModule } from './coreModule.ts'
import { memoryImport, withImportedMemory } from './importedMemory.ts'

const page = 65_536

const { WebAssembly: engine } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (pages: object) => { buffer: ArrayBuffer; grow(pages: number): number }
    Instance: new (
      module: object,
      imports: object,
    ) => { exports: Record<string, (value?: number) => number> }
    Module: { imports(module: object): { module: string; name: string; kind: string }[] }
  }
}

async function rewritten(text: string) {
  const [capped] = capModules([await parse(text)], 4 * page)
  return withImportedMemory(capped!.bytes)
}

const memoryIn = (memory: object) => ({ [memoryImport.module]: { [memoryImport.name]: memory } })

/** A module with every kind of section, and imports of every other kind. */
const everything = `(module
  (import "a" "f" (func $f (result i32)))
  (import "a" "g" (global $g i32))
  (import "a" "t" (table 1 funcref))
  (memory (export "memory") 1)
  (global $count (mut i32) (i32.const 0))
  (elem (i32.const 0) $f)
  (data (i32.const 8) "*")
  (func (export "count") (result i32)
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (i32.store (i32.const 100) (i32.add (i32.load (i32.const 100)) (i32.const 1)))
    (i32.add (i32.mul (global.get $count) (i32.const 100)) (i32.load (i32.const 100))))
  (func (export "data") (result i32) (i32.load8_u (i32.const 8)))
  (func (export "sum") (result i32) (i32.add (call $f) (global.get $g))))`

test('the module runs as before, on the memory that it is given', async () => {
  const { bytes, memory } = await rewritten(everything)
  expect(memory).toEqual({ initial: 1, maximum: 4 })
  const module = await compileModule(bytes)
  const given = new engine.Memory(memory!)
  const table = new (
    globalThis as unknown as { WebAssembly: { Table: new (shape: object) => object } }
  ).WebAssembly.Table({ initial: 1, element: 'anyfunc' })
  const imports = { a: { f: () => 3, g: 4, t: table }, ...memoryIn(given) }
  const instance = () => new engine.Instance(module, imports).exports
  const first = instance()
  expect([first.count!(), first.count!(), first.sum!(), first.data!()]).toEqual([101, 202, 7, 42])
  expect(new Uint8Array(given.buffer)[100]).toBe(2)
  new Uint8Array(given.buffer).fill(0)
  const second = instance()
  expect([second.count!(), second.data!()]).toEqual([101, 42])
})

describe('a module without imports', () => {
  test.each([
    ['with types', '(func (export "data") (result i32) (i32.load8_u (i32.const 0)))', 42],
    ['with nothing else', '', undefined],
  ])('%s gets one', async (_case, more, data) => {
    const { bytes, memory } = await rewritten(
      `(module (memory 2 3) (data (i32.const 0) "*") ${more})`,
    )
    expect(memory).toEqual({ initial: 2, maximum: 3 })
    const module = await compileModule(bytes)
    expect(engine.Module.imports(module)).toEqual([{ ...memoryImport, kind: 'memory' }])
    const { exports } = new engine.Instance(module, memoryIn(new engine.Memory(memory!)))
    expect(exports.data?.()).toBe(data)
  })
})

test.each([
  ['without a memory', '(module (func (export "f")))'],
  ['that imports its memory', '(module (import "env" "memory" (memory 1)))'],
])('a module %s stays as it is', async (_case, text) => {
  const bytes = await parse(text)
  expect(withImportedMemory(bytes)).toEqual({ bytes })
})

test('a memory with 64-bit addresses stays as it is', async () => {
  const bytes = await parse('(module (memory i64 1 2))')
  expect(withImportedMemory(bytes)).toEqual({ bytes })
})
