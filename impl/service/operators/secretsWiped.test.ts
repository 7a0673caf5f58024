import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blsKey } from '../attestation/bls.ts'
import { createEncryptionKey, type EncryptionKey } from '../envelopes/encryptionKey.ts'
import { sealEnvelope } from '../envelopes/envelope.ts'
import { createOracleHost, type OracleHost } from '../oracles/oracleHost.ts'
import { localOperator, openedSecrets, type SecretsInUse } from './localOperator.ts'
import type { Operator } from './operator.ts'

/** Plaintext of secrets is overwritten with zeros after the runs that used it. */

const client: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const chainId = 31337
const plaintext = new TextEncoder().encode('{"API_KEY":"a-secret-of-the-owner"}')

let cacheDir: string
let oracles: OracleHost
let secretsKey: EncryptionKey
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'wiped-'))
  oracles = createOracleHost({ clock: Date, cacheDir, limits: { wallClockMs: 400 }, maxWorkers: 2 })
  secretsKey = (await createEncryptionKey()).key
})
afterAll(async () => {
  await oracles.close()
  await rm(cacheDir, { recursive: true })
})

/** Records decrypted buffers and their content. */
function watched() {
  const buffers: { buffer: Uint8Array; held: string }[] = []
  const inUse = openedSecrets()
  const secretsInUse: SecretsInUse = (key, make, use) =>
    inUse(
      key,
      async () => {
        const buffer = await make()
        buffers.push({ buffer, held: new TextDecoder().decode(buffer) })
        return buffer
      },
      use,
    )
  return { buffers, secretsInUse }
}

function operatorWith(secretsInUse: SecretsInUse): Operator {
  const never = () => Promise.reject(new Error('not wanted'))
  return localOperator({
    address: client,
    key: blsKey(new Uint8Array(32).fill(1)),
    secretsKey,
    chainId,
    content: { get: (name) => buildOracle(name.replaceAll('0', '-')) },
    oracles,
    evaluator: { evaluate: never, privateUses: never, close: async () => {} },
    secretsCheck: { check: never, close: async () => {} } as never,
    secretsInUse,
  })
}

/** The data stage of one fixture oracle. */
async function collect(operator: Operator, name: string, signal = new AbortController().signal) {
  const recipientPublicKey = secretsKey.publicKey
  const envelope = await sealEnvelope({
    plaintext,
    recipientPublicKey,
    policyClient: client,
    chainId,
  })
  const wasmCid = name.replaceAll('-', '0')
  const source = { policyDataAddress: client, wasmCid, wasmArgs: '0x' as Data, envelope }
  return operator.collectData({ policyClient: client, sources: [source] }, signal)
}

test.each(['echo', 'failure', 'trap', 'loop', 'not-json'])('after a run of %s', async (name) => {
  const { buffers, secretsInUse } = watched()
  await collect(operatorWith(secretsInUse), name).catch((error) => {
    expect(String(error.message)).not.toContain('a-secret')
  })
  expect(buffers.map(({ held }) => held)).toEqual([new TextDecoder().decode(plaintext)])
  expect(buffers[0]?.buffer).toEqual(new Uint8Array(plaintext.length))
})

test('after an aborted run', async () => {
  const { buffers, secretsInUse } = watched()
  const caller = new AbortController()
  const given = collect(operatorWith(secretsInUse), 'loop', caller.signal)
  setTimeout(() => caller.abort(new Error('aborted')), 100)
  await expect(given).rejects.toThrow()
  expect(buffers.every(({ buffer }) => buffer.every((byte) => byte === 0))).toBe(true)
})
