import { parse } from '@bytecodealliance/jco'
import { describe, expect, test } from 'vitest'
import { failureOf, oracleHarness, secretsOf } from './testing/testHarness.ts'

const { hostWith, load } = oracleHarness()
const secret = 'a-secret-of-the-owner'

describe('the imports of a component', () => {
  /** A component around one core function `run`, with its imports. */
  const guest = (parts: { imports?: string; lowered?: string; linked?: string; core: string }) =>
    parse(`(component
      ${parts.imports ?? ''}
      (core module $libc
        (memory (export "memory") 4)
        (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
      (core instance $libc (instantiate $libc))
      ${parts.lowered ?? ''}
      (core module $oracle
        (import "libc" "memory" (memory 1))
        ${parts.core})
      (core instance $i (instantiate $oracle (with "libc" (instance $libc)) ${parts.linked ?? ''}))
      (func $run (param "input" string) (result (result string (error string)))
        (canon lift (core func $i "run")
          (memory (core memory $libc "memory"))
          (realloc (core func $libc "cabi_realloc"))))
      (export "run" (func $run)))`)

  const secretsGuest = () =>
    guest({
      imports: `(import "service:provider/secrets@0.2.0" (instance $secrets
        (type $response-type (record (field "value" (list u8))))
        (export "secret-response" (type $response (eq $response-type)))
        (export "get" (func (result (result $response (error string)))))))`,
      lowered: `(core func $get (canon lower (func $secrets "get")
        (memory (core memory $libc "memory")) (realloc (core func $libc "cabi_realloc"))))`,
      linked: '(with "secrets" (instance (export "get" (func $get))))',
      // The secrets become the text of the error: tag, pointer and length have their required
      // offsets.
      core: `(import "secrets" "get" (func $get (param i32)))
        (func (export "run") (param i32 i32) (result i32)
          (call $get (i32.const 0))
          (i32.store (i32.const 0) (i32.const 1))
          (i32.const 0))`,
    })

  test('secrets that a guest puts into its error are redacted', async () => {
    const host = hostWith()
    const cid = await load(host, await secretsGuest())
    const error = await failureOf(
      host.run({ cid, input: '{}', secrets: secretsOf({ key: secret }) }),
    )
    expect(error.code).toBe('result')
    expect(error.message).toContain('[redacted]')
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(secret)
  })

  test('an error too long to be searched for secrets is dropped completely', async () => {
    const host = hostWith()
    const cid = await load(host, await secretsGuest())
    const secrets = secretsOf({ key: secret, more: 'x'.repeat(30_000), most: 'y'.repeat(40_000) })
    const error = await failureOf(host.run({ cid, input: '{}', secrets }))
    expect(error.details).toBe(`a text of ${secrets.length} characters`)
  })

  test('without secrets, get returns its err case', async () => {
    const host = hostWith()
    const cid = await load(host, await secretsGuest())
    const error = await failureOf(host.run({ cid, input: '{}' }))
    expect(error.details).toBe('no secrets are stored for this policy client and policy data')
  })

  test('tlsn is linked, and returns that it is not available', async () => {
    const host = hostWith()
    const component = await guest({
      imports: `(import "service:provider/tlsn@0.2.0" (instance $tlsn
        (export "verify-from-cid" (func (param "cid" string) (result (result string (error string)))))))`,
      lowered: `(core func $verify (canon lower (func $tlsn "verify-from-cid")
        (memory (core memory $libc "memory")) (realloc (core func $libc "cabi_realloc"))))`,
      linked: '(with "tlsn" (instance (export "verify" (func $verify))))',
      core: `(import "tlsn" "verify" (func $verify (param i32 i32 i32)))
        (func (export "run") (param $at i32) (param $length i32) (result i32)
          (call $verify (local.get $at) (local.get $length) (i32.const 0))
          (i32.const 0))`,
    })
    const cid = await load(host, component)
    const error = await failureOf(host.run({ cid, input: 'bafy' }))
    expect(error.details).toBe('TLSNotary verification is not available')
  })

  test('the clock of WASI shows the time of the host, of any 0.2 version', async () => {
    const host = hostWith({}, { clock: { now: () => 1_700_000_000_000 } })
    const component = await guest({
      imports: `(import "wasi:clocks/wall-clock@0.2.7" (instance $clock
        (type $datetime-type (record (field "seconds" u64) (field "nanoseconds" u32)))
        (export "datetime" (type $datetime (eq $datetime-type)))
        (export "now" (func (result $datetime)))))`,
      lowered: `(core func $now (canon lower (func $clock "now")
        (memory (core memory $libc "memory"))))`,
      linked: '(with "clock" (instance (export "now" (func $now))))',
      core: `(import "clock" "now" (func $now (param i32)))
        (data (i32.const 64) "{}")
        (func (export "run") (param i32 i32) (result i32)
          (call $now (i32.const 0))
          (if (i64.ne (i64.load (i32.const 0)) (i64.const 1700000000)) (then (unreachable)))
          (i32.store (i32.const 16) (i32.const 0))
          (i32.store (i32.const 20) (i32.const 64))
          (i32.store (i32.const 24) (i32.const 2))
          (i32.const 16))`,
    })
    const cid = await load(host, component)
    expect((await host.run({ cid, input: '{}' })).json).toEqual({})
  })
})
