import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from 'polgate-chain/anvil.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readImage, writeImage } from './chainImage.ts'
import type { Deployment } from './deployFixtures.ts'
import { readStackFile } from './stackFile.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-torn-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

describe('a torn file', () => {
  it.each(['state.json', 'deployment.json'])(
    '%s of a cached chain is not used, and made again',
    async (name) => {
      const directory = join(home, 'images', 'one')
      const chain = await startAnvil({})
      try {
        const write = () => writeImage(directory, chain.url, { contents: {} } as Deployment)
        await write()
        expect(await readImage(directory)).toMatchObject({ deployment: { contents: {} } })
        const file = join(directory, name)
        await truncate(file, Math.floor((await stat(file)).size / 2))
        expect(await readImage(directory)).toBeUndefined()
        expect(existsSync(directory)).toBe(false)
        await write()
        expect(await readImage(directory)).toBeDefined()
      } finally {
        await chain.stop()
        await rm(directory, { recursive: true, force: true })
      }
    },
  )

  it('that describes a stack is no stack that does not run', async () => {
    const file = join(home, 'stack.json')
    expect(await readStackFile(file)).toBeUndefined()
    for (const text of ['', '{"pid":'])
      await writeFile(file, text).then(() =>
        expect(readStackFile(file)).rejects.toMatchObject({
          name: 'StackFileError',
          message: expect.stringContaining(`${file}, is damaged`),
        }),
      )
  })
})
