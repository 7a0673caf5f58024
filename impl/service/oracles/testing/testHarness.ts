import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transpiledDirectory } from 'polgate-local/chainImage.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { contentIdOf } from '../../content/contentId.ts'
import type { OracleLimits } from '../limits.ts'
import { OracleError } from '../oracleError.ts'
import { createOracleHost, type OracleHost, type OracleHostOptions } from '../oracleHost.ts'
import { createTranspiler, type Transpiler } from '../transpiler.ts'

const transpiler = createTranspiler()

/**
 * The transpiler of all hosts of this process: the start of its thread takes as long as ten
 * components. It ends the thread itself once that has been idle, so that no host closes it.
 */
const sharedTranspiler: Transpiler = { ...transpiler, close: () => Promise.resolve() }

/**
 * Hosts for the tests of one file, closed at the end. They have a temporary cache of their own, or
 * for tests that are not about loading the one of local stacks: a component in JavaScript takes seconds.
 */
export function oracleHarness({ sharesCache = false } = {}) {
  let cacheDir: string
  const hosts: OracleHost[] = []

  beforeAll(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), 'oracles-'))
  })
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.close()))
    await rm(cacheDir, { recursive: true })
  })

  return {
    cacheDir: () => cacheDir,
    hostWith(limits: Partial<OracleLimits> = {}, more: Partial<OracleHostOptions> = {}) {
      const cache = sharesCache ? transpiledDirectory : cacheDir
      const host = createOracleHost({
        clock: Date,
        cacheDir: cache,
        limits,
        transpiler: sharedTranspiler,
        ...more,
      })
      hosts.push(host)
      return host
    },
    /** Loads a component under its content id, which it returns. */
    async load(host: OracleHost, component: Uint8Array): Promise<string> {
      const cid = contentIdOf(component)
      await host.load(component, { cid, label: 'PolicyData 0xAbC' })
      return cid
    },
  }
}

/** The OracleError that a promise must reject with. */
export async function failureOf(promise: Promise<unknown>): Promise<OracleError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OracleError)
  expect((error as OracleError).message).toMatch(/^WASM execution failed: ./)
  return error as OracleError
}

/** Plaintext bytes of a secrets object. */
export const secretsOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
