import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  hostileComponent,
  hostileFixture,
  hostileInput,
} from '../../../fixtures/hostile/catalogue.ts'
import { buildOracle } from '../../../fixtures/oracles/build.ts'
import { nameServerAddresses } from '../../net/guardedLookup.ts'
import { failureOf } from '../testBed.ts'
import { hostileBed } from './hostileBed.ts'

const bed = hostileBed(() => buildOracle('echo'))
const caller = { name: '', ends: 'guest', code: '', text: '' } as const

/** Threads that files, ciphers and the system's resolver share in a process: the default of libuv. */
const sharedThreads = 4

test('oracles that wait for silent name servers hold up no file', async () => {
  const silent = createSocket('udp4')
  let questions = 0
  silent.on('message', () => {
    questions += 1
  })
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const runs = 2 * sharedThreads
  const host = bed.hostWith(
    { wallClockMs: 3_000 },
    {
      egress: { lookup: nameServerAddresses([`127.0.0.1:${silent.address().port}`]) },
      maxWorkers: runs + 1,
    },
  )
  try {
    const cid = await bed.load(
      host,
      await hostileComponent(hostileFixture('huge-response'), caller),
    )
    let ended = 0
    const waiting = Array.from({ length: runs }, async (_, at) => {
      const request = { url: `http://dead-${at}.example/` }
      const input = hostileInput({ ...caller, request }, undefined)
      const failure = await failureOf(host.run({ cid, input }))
      ended += 1
      return failure.details
    })
    // All of them ask for both families.
    await expect.poll(() => questions, { timeout: 10_000 }).toBeGreaterThanOrEqual(2 * runs)
    const { result } = await bed.besideNeighbour(host, () => readFile(import.meta.filename, 'utf8'))
    expect(result).toContain('silent name servers')
    expect(ended).toBe(0)
    expect(new Set(await Promise.all(waiting))).toEqual(
      new Set(['the run took longer than 3 s: it waited for an HTTP call']),
    )
  } finally {
    silent.close()
  }
})
