import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createContentStore } from './contentStore.ts'
import { createFileMemory } from './fileMemory.ts'

const bytes = (length: number) => new Uint8Array(length).fill(7)

describe('cached files', () => {
  it('are evicted least recently used first', () => {
    const memory = createFileMemory({ totalBytes: 10, fileBytes: 5 })
    memory.keep('a', bytes(4))
    memory.keep('b', bytes(4))
    expect(memory.get('a')).toEqual(bytes(4))
    memory.keep('c', bytes(4))
    expect(memory.get('b')).toBeUndefined()
    expect(memory.get('a')).toEqual(bytes(4))
    expect(memory.get('c')).toEqual(bytes(4))
  })

  it('count once, however often they are stored', () => {
    const memory = createFileMemory({ totalBytes: 10, fileBytes: 5 })
    for (let times = 0; times < 9; times++) memory.keep('a', bytes(5))
    memory.keep('b', bytes(5))
    expect(memory.get('a')).toEqual(bytes(5))
    expect(memory.get('b')).toEqual(bytes(5))
  })

  it('exclude large ones', () => {
    const memory = createFileMemory({ totalBytes: 10, fileBytes: 5 })
    memory.keep('a', bytes(6))
    expect(memory.get('a')).toBeUndefined()
  })

  it('are served without the directory, and checked before they are cached', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-memory-'))
    const store = createContentStore({ directory })
    const cid = await store.put(bytes(3))
    expect(await store.get(cid)).toEqual(Buffer.from(bytes(3)))
    await rm(directory, { recursive: true })
    expect(await store.get(cid)).toEqual(Buffer.from(bytes(3)))
    await expect(createContentStore({ directory }).get(cid)).rejects.toThrow('is unavailable')
  })
})
