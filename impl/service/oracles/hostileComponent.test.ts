import { parse } from '@bytecodealliance/jco'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { describe, expect, test } from 'vitest'
import { failureOf, oracleHarness } from './testing/testHarness.ts'
import { createTranspiler } from './transpiler.ts'

/** Components whose preparation is expensive for the host: each stops at a limit. */

const { hostWith, load } = oracleHarness()

const bytes = (...parts: (number[] | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => Uint8Array.from(part)))
const section = (id: number, body: Uint8Array) => bytes([id, ...leb(body.length)], body)
const component = (...sections: Uint8Array[]) => bytes([0, 97, 115, 109, 13, 0, 1, 0], ...sections)
const core = (...sections: Uint8Array[]) => bytes([0, 97, 115, 109, 1, 0, 0, 0], ...sections)
const instances = (count: number) =>
  section(2, bytes(leb(count), ...Array.from({ length: count }, (_, at) => [0, ...leb(at), 0])))

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 0x80, ...leb(Math.floor(value / 128))]
}

/** Types are the most expensive to parse: each of them takes 60 bytes of memory or more. */
function manyTypes(sections: number) {
  const types = Array.from({ length: 15_000 }, () => [0x6f, 2, 0x79, 0x79])
  const one = section(7, bytes(leb(types.length), ...types))
  return component(...Array.from({ length: sections }, () => one))
}

const typesBomb = (times: number) =>
  component(...Array.from({ length: times }, () => section(4, manyTypes(60))))

describe('a component that is expensive to transpile', () => {
  test('stops at the memory limit, which ends its thread', async () => {
    // 4 MB that the transpiler expands to 300 MB.
    const transpiler = createTranspiler({ memoryMiB: 64, threads: 1 })
    try {
      const error = await failureOf(transpiler.transpile(typesBomb(1)))
      expect(error.code).toBe('component')
      expect(error.details).toContain('the component is not valid: the transpiler failed')
      await transpiler.transpile(await buildOracle('echo'))
    } finally {
      await transpiler.close()
    }
  })

  test('stops at the CPU time limit', async () => {
    const transpiler = createTranspiler({ workMs: 100 })
    try {
      const error = await failureOf(transpiler.transpile(typesBomb(1)))
      expect([error.code, error.details]).toEqual([
        'work',
        'transpiling the component takes more than 100 ms of CPU time',
      ])
    } finally {
      await transpiler.close()
    }
  })

  test('does not delay others', async () => {
    const transpiler = createTranspiler()
    try {
      const slow = transpiler.transpile(typesBomb(2)).catch(() => 'over')
      const echo = transpiler.transpile(await buildOracle('echo'))
      expect(await Promise.race([slow, echo])).toMatchObject({ wit: expect.any(String) })
    } finally {
      await transpiler.close()
    }
  })

  test('is not transpiled again', async () => {
    const host = hostWith()
    const cut = (await buildOracle('echo')).slice(0, -20)
    let calls = 0
    const get = async () => {
      calls += 1
      return cut
    }
    const first = await failureOf(host.load(get, { cid: 'bafycutshort' }))
    expect(await failureOf(host.load(get, { cid: 'bafycutshort' }))).toBe(first)
    expect(calls).toBe(1)
  })
})

describe('a component with too many parts is rejected', () => {
  test('core modules', async () => {
    const modules = Array.from({ length: 257 }, () => section(1, core()))
    const error = await failureOf(load(hostWith(), component(...modules, instances(257))))
    expect(error.details).toContain('it has more than 256 core modules')
  })

  test('instances', async () => {
    const error = await failureOf(load(hostWith(), component(section(1, core()), instances(2_000))))
    expect(error.details).toContain('the component is not valid')
  })

  test('sections', async () => {
    const custom = section(0, bytes([1, 97]))
    const module = core(...Array.from({ length: 10_001 }, () => custom))
    const error = await failureOf(load(hostWith(), component(section(1, module), instances(1))))
    expect(error.details).toBe('a core module has more than 10000 sections')
  })

  test('imports', async () => {
    const imports = Array.from({ length: 5_000 }, (_, at) => `(import "a${at}" (func))`)
    const error = await failureOf(load(hostWith(), await parse(`(component ${imports.join('')})`)))
    expect(error.details).toMatch(/imports a0.*, which is not available|not valid/)
    expect(error.message.length).toBeLessThan(400)
  })

  test('levels of nesting', async () => {
    let nested = component()
    for (let level = 0; level < 1_500; level += 1) nested = component(section(4, nested))
    expect((await failureOf(load(hostWith(), nested))).code).toBe('component')
  })
})

describe('wasi:http', () => {
  test.each(['0.2.0', '0.2.12', '0.3.0', '1.0.0'])(
    'is rejected by name, as %s',
    async (version) => {
      const text = `(component (import "wasi:http/outgoing-handler@${version}" (instance)))`
      const error = await failureOf(load(hostWith(), await parse(text)))
      expect(error.message).toContain(
        `the component of PolicyData 0xAbC imports wasi:http/outgoing-handler@${version}`,
      )
    },
  )

  test('is rejected by name when a nested component imports it', async () => {
    const error = await failureOf(
      load(
        hostWith(),
        await parse(`(component
          (import "wasi:http/types@0.2.0" (instance $http))
          (component $inner (import "wasi:http/types@0.2.0" (instance)))
          (instance (instantiate $inner (with "wasi:http/types@0.2.0" (instance $http)))))`),
      ),
    )
    expect(error.details).toContain('imports wasi:http/types@0.2.0, which is not available')
  })

  test('provided to a nested component by its parent has no effect', async () => {
    const host = hostWith()
    const text = `(component
      (component $inner (import "wasi:http/types@0.2.0" (instance)))
      (component $empty)
      (instance $fake (instantiate $empty))
      (instance (instantiate $inner (with "wasi:http/types@0.2.0" (instance $fake)))))`
    expect((await failureOf(load(host, await parse(text)))).details).toContain(
      'does not export run',
    )
  })
})

describe('a component that computes during instantiation', () => {
  const starting = (start: string) =>
    parse(`(component
      (core module $oracle
        (memory (export "memory") 1)
        (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
        (data (i32.const 64) "\\00\\00\\00\\00\\50\\00\\00\\00\\02\\00\\00\\00")
        (data (i32.const 80) "{}")
        (func $start ${start})
        (start $start)
        (func (export "run") (param i32 i32) (result i32) (i32.const 64)))
      (core instance $i (instantiate $oracle))
      (func $run (param "input" string) (result (result string (error string)))
        (canon lift (core func $i "run")
          (memory (core memory $i "memory")) (realloc (core func $i "cabi_realloc"))))
      (export "run" (func $run)))`)

  test('without end is stopped by the wall-clock limit of its run', async () => {
    const host = hostWith({ wallClockMs: 300 }, { maxWorkers: 1 })
    const cid = await load(host, await starting('(loop $again (br $again))'))
    expect((await failureOf(host.run({ cid, input: '{}' }))).code).toBe('wall-clock')
    const echo = await load(host, await buildOracle('echo'))
    expect((await host.run({ cid: echo, input: '1' })).json).toEqual({ echo: 1 })
  })

  test('and traps fails its run', async () => {
    const host = hostWith()
    const cid = await load(host, await starting('unreachable'))
    expect(await failureOf(host.run({ cid, input: '{}' }))).toMatchObject({
      code: 'trap',
      details: 'trap: unreachable',
    })
  })

  test('and ends is run', async () => {
    const host = hostWith()
    const cid = await load(host, await starting('nop'))
    expect((await host.run({ cid, input: '{}' })).output).toBe('{}')
  })
})
