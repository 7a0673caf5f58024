import { parse } from '@bytecodealliance/jco'
import { beforeAll, describe, expect, test } from 'vitest'
import { requestBounds } from './hostRequest.ts'
import { defaultOracleLimits } from './limits.ts'
import type { OracleHost } from './oracleHost.ts'
import { createRunnerPool } from './runnerPool.ts'
import { failureOf, oracleHarness } from './testing/testHarness.ts'

/** Names in a component get into generated code: none of them may be executed as code. */

const { hostWith, load } = oracleHarness()
let host: OracleHost
beforeAll(() => {
  host = hostWith()
})

const inText = (name: string) =>
  [...Buffer.from(name)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')

const libc = `(core module $libc
    (memory (export "memory") 1)
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
  (core instance $libc (instantiate $libc))`
const run = (from: string, name: string) =>
  `(func $run (param "input" string) (result (result string (error string)))
    (canon lift (core func ${from} "${name}")
      (memory (core memory $libc "memory")) (realloc (core func $libc "cabi_realloc"))))
  (export "run" (func $run))`
/** `{}`, as the output of `run`. */
const answer = `(data (i32.const 64) "\\00\\00\\00\\00\\50\\00\\00\\00\\02\\00\\00\\00")
  (data (i32.const 80) "{}")`

/** A core module that imports a function under this name. */
const importing = (name: string) =>
  parse(`(component ${libc}
    (core module $other (func (export "${inText(name)}")))
    (core instance $other (instantiate $other))
    (core module $oracle
      (import "libc" "memory" (memory 1))
      (import "${inText(name)}" "${inText(name)}" (func))
      ${answer}
      (func (export "run") (param i32 i32) (result i32) (i32.const 64)))
    (core instance $i (instantiate $oracle
      (with "libc" (instance $libc)) (with "${inText(name)}" (instance $other))))
    ${run('$i', 'run')})`)

/** A core module that exports `run` under this name. */
const exporting = (name: string) =>
  parse(`(component ${libc}
    (core module $oracle
      (import "libc" "memory" (memory 1))
      ${answer}
      (func (export "${inText(name)}") (param i32 i32) (result i32) (i32.const 64)))
    (core instance $i (instantiate $oracle (with "libc" (instance $libc))))
    ${run('$i', inText(name))})`)

/** The same in a nested component. */
const nesting = async (name: string) =>
  parse(`(component
    (component $inner
      (core module $a (func (export "f")))
      (core instance $a (instantiate $a))
      (core module $b (import "${inText(name)}" "f" (func)))
      (core instance (instantiate $b (with "${inText(name)}" (instance $a)))))
    (instance (instantiate $inner))
    ${libc}
    (core module $oracle
      (import "libc" "memory" (memory 1))
      ${answer}
      (func (export "run") (param i32 i32) (result i32) (i32.const 64)))
    (core instance $i (instantiate $oracle (with "libc" (instance $libc))))
    ${run('$i', 'run')})`)

const shapes = { importing, exporting, nesting }
const breakout = 'getCoreModule.constructor("return process")().exit(1)'
const hostile = [
  `x': (${breakout}), 'y`,
  `'];${breakout};exports0['x`,
  "a'b",
  'a"b',
  'a`b',
  'a$' + '{1}b',
  'a\\',
  'a\nb',
  'a\rb',
  'a\u2028b',
  'a*/b',
  'a\u0000b',
  '__proto__',
  'é',
  'n'.repeat(4_097),
]

describe.each(Object.entries(shapes))('a component %s a name', (_shape, component) => {
  test.each(hostile)('that is not plain is rejected: %j', async (name) => {
    const loading = load(host, await component(name))
    const error = await failureOf(loading)
    expect(error.code).toBe('component')
    expect(error.details).toContain('in a core module is not allowed')
    expect(error.message.length).toBeLessThan(200)
  })

  test.each([
    'run',
    'cabi_post_service:provider/http@0.2.0#fetch',
    '[method]outgoing-request.set-method',
    '$imports',
    '_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE',
    '0',
    'a b',
    'constructor',
    'toString',
    'default',
    '(type 0)',
    '<T as U>::v',
  ])('that toolchains write is accepted: %j', async (name) => {
    const cid = await load(host, await component(name))
    expect((await host.run({ cid, input: '{}' })).output).toBe('{}')
  })
})

describe('names that the component model itself checks', () => {
  test.each([
    `(component (import "a'b" (func)))`,
    `(component (import "wasi:cli/x@0.2.0-a'b" (func)))`,
    `(component (import "url=<http://x'y>" (func)))`,
    `(component (import "wasi:cli/x@0.2.0" (instance (export "a'b" (func)))))`,
    `(component (import "wasi:cli/x@0.2.0" (instance (export "g" (func (param "a'b" u32))))))`,
    `(component (import "wasi:cli/x@0.2.0" (instance (type $t (enum "a" "b'c"))
      (export "t" (type $tt (eq $t))) (export "get" (func (result $tt))))))`,
    `(component (import "x" (core module $x (import "e'vil" "f" (func))))
      (core module $a (func (export "f"))) (core instance $a (instantiate $a))
      (core instance (instantiate $x (with "e'vil" (instance $a)))))`,
  ])('%s', async (text) => {
    expect((await failureOf(load(host, await parse(text)))).code).toBe('component')
  })
})

test('malicious generated code cannot create code outside its context', async () => {
  const pool = createRunnerPool({
    maxWorkers: 1,
    maxQueued: 1,
    warm: 1,
    heapMiB: 64,
    prepareAhead: false,
  })
  const attempts = [
    'getCoreModule.constructor("return process")()',
    'getCoreModule("x").constructor.constructor("return process")()',
    'imports["service:provider/http"].fetch.constructor("return process")()',
    'imports["wasi:cli/exit"].exit.constructor("return process")()',
    'imports.constructor.constructor("return process")()',
    'instantiateCore.constructor("return process")()',
    '(() => {}).constructor("return 1")()',
    'eval("1")',
    'process',
    'require("fs")',
    'globalThis.process.env',
  ]
  try {
    for (const attempt of attempts) {
      const source = `export function instantiate(getCoreModule, imports, instantiateCore) {
        return { run: () => { const found = ${attempt}; return 'escaped: ' + typeof found } } }`
      const outcome = await pool.run({
        message: {
          key: `attempt${attempts.indexOf(attempt)}`,
          source,
          modules: { x: { module: {} as WebAssembly.Module, maxMemoryBytes: 0 } },
          input: '{}',
          secrets: undefined,
          brand: 'service:provider',
          nowMs: 0,
          recordedTime: false,
          seed: new Uint8Array(32),
          limits: {
            memoryBytes: 0,
            outputBytes: 1_000,
            request: requestBounds(defaultOracleLimits),
          },
        },
        fetch: () => Promise.reject(new Error('unexpected call')),
        wallClockMs: 5_000,
      })
      expect([attempt, outcome.kind]).toEqual([attempt, 'trap'])
    }
  } finally {
    await pool.close()
  }
})
