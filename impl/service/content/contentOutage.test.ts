import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { mountSmallDisk, type SmallDisk } from 'polgate-lib/files/smallDisk.fixture.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { blocksOf, bytesOf, contentHarness, noise, textOf } from './content.fixture.ts'
import { createContentStore } from './contentStore.ts'
import { httpGateways } from './gateways.ts'

const bed = contentHarness()
const { cid, blocks } = blocksOf(bytesOf('hello\n'))

describe('a failing content source', () => {
  it.each<[string, RequestListener]>([
    ['breaks the connection', (request) => request.socket.destroy()],
    ['answers 500', (_, response) => response.writeHead(500).end()],
    ['answers 404', (_, response) => response.writeHead(404).end()],
    ['returns other bytes', (_, response) => response.end('garbage')],
    [
      'returns an endless stream',
      (_, response) => {
        // Slow enough that the timeout comes before the limit of the size.
        const timer = setInterval(() => response.write(Buffer.alloc(1_024)), 5)
        response.once('close', () => clearInterval(timer))
      },
    ],
    [
      'is cut off midway',
      (_, response) => {
        response.writeHead(200, { 'content-length': '6' })
        response.write('hel', () => response.destroy())
      },
    ],
    ['does not respond', () => {}],
  ])('that %s is a retryable error, which is not cached', async (_, fails) => {
    let answer: RequestListener = fails
    const url = await bed.serve((request, response) => answer(request, response))
    const directory = await bed.directory()
    const store = createContentStore({
      directory,
      gateways: httpGateways({ urls: [url], timeoutMs: 1_000 }),
    })
    for (let tries = 0; tries < 2; tries++)
      await expect(store.get(cid)).rejects.toMatchObject({
        name: 'ContentError',
        code: 'unavailable',
        retryable: true,
        message: expect.stringContaining(cid),
      })
    expect(await readdir(directory)).toEqual([])
    answer = (_, response) => response.end([...blocks.values()][0])
    expect(textOf(await store.get(cid))).toBe('hello\n')
  })
})

const disk = mountSmallDisk('256k')

describe.runIf(disk !== undefined)('a content store on a full disk', () => {
  const { directory, fill, free, close } = disk ?? ({} as SmallDisk)
  afterAll(close)

  it('rejects content that it cannot store, leaves no files, and accepts it when there is space', async () => {
    const store = createContentStore({ directory })
    const first = await store.put(bytesOf('hello\n'))
    fill()
    const file = noise(40_000)
    await expect(store.put(file)).rejects.toMatchObject({
      code: 'storage',
      retryable: true,
      message: expect.stringContaining('the disk is full'),
    })
    expect((await readdir(directory)).filter((name) => name.includes('part'))).toEqual([])
    expect(textOf(await store.get(first))).toBe('hello\n')
    free()
    const added = await store.put(file)
    expect(Buffer.from(await createContentStore({ directory }).get(added)).equals(file)).toBe(true)
  })
})
