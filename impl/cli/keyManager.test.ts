import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { serveControl } from 'polgate-local/control.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KeyManager, openKeyManager } from './keyManager.ts'

let directory: string
const cleanup = createCleanupStack()
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-keys-'))
})
afterAll(async () => {
  await cleanup.close()
  await rm(directory, { recursive: true, force: true })
})

async function atWork(desk: KeyManager): Promise<void> {
  const expiresAt = new Date(Date.now() + 60_000)
  const { key, record } = await desk.create({ name: 'test', permissions: ['rpc_read'], expiresAt })
  expect(new Date(record.expiresAt!)).toEqual(expiresAt)
  const rotated = await desk.rotate(record.id)
  expect(rotated.key).not.toBe(key)
  expect((await desk.list()).map(({ id }) => id)).toEqual([record.id])
  expect(JSON.stringify(await desk.list())).not.toContain(rotated.key)
  await desk.delete(record.id)
  expect(await desk.list()).toEqual([])
  await expect(desk.delete(record.id)).rejects.toThrow(/No API key/)
}

describe('keys', () => {
  it('are stored in a data directory', async () => {
    const desk = await openKeyManager({ dataDir: directory, mayMakeStore: true })
    await atWork(desk)
    await desk.close()
  })

  it('are managed through a running local stack', async () => {
    const store = await openStore()
    const fixtureHost = await startFixtureHost()
    const rpcUrl = 'http://127.0.0.1:1'
    const apiKeys = store.apiKeys
    const control = await serveControl({ port: 0, operators: [], apiKeys, rpcUrl, fixtureHost })
    cleanup.defer(
      () => store.close(),
      () => fixtureHost.stop(),
      () => control.close(),
    )
    await atWork(await openKeyManager({ control: control.url }))
  })

  it('are refused to pages in a browser', async () => {
    const fixtureHost = await startFixtureHost()
    const store = await openStore()
    const control = await serveControl({
      port: 0,
      operators: [],
      apiKeys: store.apiKeys,
      rpcUrl: 'http://127.0.0.1:1',
      fixtureHost,
    })
    cleanup.defer(
      () => store.close(),
      () => fixtureHost.stop(),
      () => control.close(),
    )
    const headers = { origin: 'https://elsewhere.example' }
    const response = await fetch(`${control.url}/keys`, { headers })
    expect(response.status).toBe(403)
  })

  it('need a reachable stack', async () => {
    await expect(
      openKeyManager({ control: 'http://127.0.0.1:1' }).then((desk) => desk.list()),
    ).rejects.toThrow('is unreachable')
  })
})
