import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import {
  hostileComponent,
  hostileFixture,
  hostileInput,
} from 'polgate-fixtures/hostile/catalogue.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { expect, test } from 'vitest'
import { nameServerAddresses } from '../../net/guardedLookup.ts'
import { failureOf } from '../testing/testHarness.ts'
import { hostileHarness } from './hostileHarness.fixture.ts'

const bed = hostileHarness(() => buildOracle('echo'))
const caller = { name: '', ends: 'guest', code: '', text: '' } as const

/**
 * Size of the thread pool that files, ciphers and the system resolver share: the default of libuv.
 */
const sharedThreads = 4

test('oracles that wait for silent name servers do not block file access', async () => {
  const silent = createSocket('udp4')
  let questions = 0
  silent.on('message', () => {
    questions += 1
  })
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const patience = 60_000
  const lookup = nameServerAddresses([`127.0.0.1:${silent.address().port}`], patience)
  const runs = 2 * sharedThreads
  const host = bed.hostWith(
    { wallClockMs: patience, httpCallMs: patience },
    { egress: { lookup }, maxWorkers: runs + 1 },
  )
  const giveUp = new AbortController()
  try {
    const component = await hostileComponent(hostileFixture('huge-response'), caller)
    const cid = await bed.load(host, component)
    let ended = 0
    const waiting = Array.from({ length: runs }, async (_, at) => {
      const request = { url: `http://dead-${at}.example/` }
      const input = hostileInput({ ...caller, request }, undefined)
      const failure = await failureOf(host.run({ cid, input, signal: giveUp.signal }))
      ended += 1
      return failure.details
    })
    // Each of them queries both address families.
    await expect.poll(() => questions, { timeout: 20_000 }).toBeGreaterThanOrEqual(2 * runs)
    const { result } = await bed.besideNeighbour(host, () => readFile(import.meta.filename, 'utf8'))
    expect(result).toContain('silent name servers')
    expect(ended).toBe(0)
    giveUp.abort()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['the run was cancelled']))
  } finally {
    silent.close()
  }
})
