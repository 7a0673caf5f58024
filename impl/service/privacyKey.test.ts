import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealEnvelope } from './envelopes/envelope.ts'
import { keyHolderOf, localKeyHolders, openPrivacyKey } from './privacyKey.ts'
import { parseServiceConfig, type ServiceConfigInput } from './serviceConfig.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-privacy-key-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const key = '11'.repeat(32)
const addresses = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}` as const)
const thresholdKeys = addresses.map(() => randomBytes(32).toString('hex'))

function configOf(threshold: object, without: number[] = []) {
  const input: ServiceConfigInput = {
    chain: {
      rpcUrl: 'http://127.0.0.1:8545',
      chainId: 1,
      taskManager: addresses[0],
      operatorRegistry: addresses[0],
    },
    keys: { gateway: key, secrets: key, privacy: key },
    operators: addresses.map((address, at) => ({
      kind: 'local',
      address,
      blsKey: key,
      ...(without.includes(at) ? {} : { thresholdKey: thresholdKeys[at] }),
    })),
    content: { directory: 'content' },
    oracles: { cacheDir: 'cache' },
    threshold: { needed: 2, directory, ...threshold },
  }
  return parseServiceConfig(input)
}

const logged: string[] = []
const log = {
  info: (_: object, message: string) => void logged.push(message),
  error: (_: object, message: string) => void logged.push(message),
}
const open = async (config: ReturnType<typeof configOf>, operators: { running: boolean }[]) =>
  openPrivacyKey({
    ...{ config, operators, connections: [], random: randomBytes, log, retryMs: 10 },
    localHolders: localKeyHolders(config, { random: randomBytes, approve: () => () => true }),
  })

describe('the privacy key in threshold mode', () => {
  it('is requested until the operators can create it; until then the method is unavailable', async () => {
    const operators = addresses.map((_, at) => ({ running: at !== 1 }))
    const privacyKey = await open(configOf({}), operators)
    try {
      expect(() => privacyKey.publicKey).toThrow('Service unavailable')
      expect(privacyKey.key).toBeUndefined()
      operators[1]!.running = true
      await expect
        .poll(() => privacyKey.key?.publicKey, { timeout: 60_000 })
        .toMatch(/^[0-9a-f]{64}$/)
      expect(logged).toContain('shared privacy key not available yet')
      expect(logged).toContain('shared privacy key available')
      const again = await open(configOf({}), [])
      expect(again.publicKey).toBe(privacyKey.publicKey)
      await again.close()
    } finally {
      await privacyKey.close()
    }
  })

  it('uses the next epoch at once, and finds it after a restart', async () => {
    const running = addresses.map(() => ({ running: true }))
    const config = configOf({ directory: join(directory, 'epochs'), resharing: 'members' })
    const privacyKey = await open(config, running)
    const { publicKey, control } = privacyKey
    expect(await control.refresh()).toMatchObject({ publicKey, epoch: 2, needed: 2 })
    expect(privacyKey.key).toMatchObject({ publicKey, epoch: 2 })
    const [, b, c] = addresses as [`0x${string}`, `0x${string}`, `0x${string}`]
    const report = await control.reshare({ needed: 2, members: [c, b] })
    expect(report.operators.map(({ state }) => state)).toEqual(['outside', 'uses', 'uses'])
    await expect(control.reshare({ needed: 2, members: [key as never] })).rejects.toThrow(
      'is not a configured member',
    )
    running[0]!.running = false
    const both = await Promise.allSettled([control.refresh(), control.refresh()])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await control.status()).operators[0]).toMatchObject({ state: 'down' })
    await privacyKey.close()
    const again = await open(config, running)
    expect(again.key).toMatchObject({ publicKey, epoch: 4 })
    await again.close()
    await expect(
      open(configOf({ members: [addresses[0]!, `0x${'d'.repeat(40)}`] }), running),
    ).rejects.toThrow('threshold.members.1 is not one of operators')
  })

  it('stops retrying when closed', async () => {
    const before = configOf({ directory: join(directory, 'none') })
    const privacyKey = await open(
      before,
      addresses.map(() => ({ running: false })),
    )
    await privacyKey.close()
    const { length } = logged
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(logged).toHaveLength(length)
  })

  it('rejects an invalid configuration', async () => {
    await expect(open(configOf({}, [2]), [])).rejects.toThrow('operators.2 has no thresholdKey')
    await expect(open(configOf({ needed: 4 }), [])).rejects.toThrow('got 4 of 3')
    expect(() => configOf({ needed: 1 })).toThrow('threshold.needed')
    const twice = configOf({})
    twice.operators[1] = { ...twice.operators[0]! }
    await expect(open(twice, [])).rejects.toThrow('is listed twice in the roster')
  })

  it('decrypts only what is granted, and nothing if configured so', async () => {
    const { threshold } = configOf({})
    expect(threshold?.openings).toBe('granted')
    expect(() => configOf({ openings: 'members' })).toThrow('threshold.openings')
    expect(() =>
      keyHolderOf(
        addresses[0]!,
        { ...threshold!, next: undefined, key: thresholdKeys[1]!, members: [] },
        { approve: () => true },
      ),
    ).toThrow('Invalid configuration')
    const envelope = async (publicKey: string) =>
      sealEnvelope({
        plaintext: Buffer.from('{}'),
        policyClient: addresses[0]!,
        chainId: 1,
        recipientPublicKey: publicKey,
      })
    for (const openings of ['granted', 'refused'] as const) {
      const config = configOf({ openings })
      const asked: string[] = []
      const [holder] = localKeyHolders(config, {
        random: randomBytes,
        approve:
          () =>
          ({ claim }) => {
            asked.push(claim)
            return claim === 'granted'
          },
      })
      const privacyKey = await open(config, [])
      const sealed = await envelope(privacyKey.publicKey)
      const ask = async (claim: string) => {
        const { request } = await holder!.beginOpening(sealed, claim)
        return await holder!.open(request, new AbortController().signal)
      }
      await expect(ask('not granted')).rejects.toThrow('does not take part in this opening')
      if (openings === 'granted') expect((await ask('granted')).place).toBe(1)
      else await expect(ask('granted')).rejects.toThrow('does not take part in this opening')
      expect(asked).toEqual(openings === 'granted' ? ['not granted', 'granted'] : [])
      await privacyKey.close()
    }
  })
})
