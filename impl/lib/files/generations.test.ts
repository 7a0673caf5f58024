import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { besideOf, findNewest, takeNewest, writeGeneration } from './generations.ts'

let home: string
let path: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'generations-'))
  path = join(home, 'chain.json')
})
afterEach(() => rm(home, { recursive: true, force: true }))

const write = (mark: number) =>
  writeGeneration(path, [Buffer.from('{"blo'), Buffer.from(`ck":${mark}}`)], mark)
const contentOf = async (file: string) => JSON.parse(await readFile(file, 'utf8')).block as number

describe('two generations', () => {
  it('are the last two written, as JSON with one additional member', async () => {
    expect(await takeNewest(path)).toBeUndefined()
    for (const mark of [1, 2, 3]) await write(mark)
    expect(await contentOf(path)).toBe(3)
    expect(await contentOf(besideOf(path, 'previous'))).toBe(2)
    expect(await takeNewest(path)).toEqual({ generation: { path, mark: 3 } })
    expect((await readdir(home)).sort()).toEqual(['chain.json', 'chain.previous.json'])
  })

  it('are unchanged when writing fails', async () => {
    await write(1)
    await write(2)
    async function* broken() {
      yield Buffer.from('{"block":')
      throw new Error('no answer')
    }
    await expect(writeGeneration(path, broken(), 3)).rejects.toThrow('no answer')
    await expect(writeGeneration(path, [Buffer.from('null')], 3)).rejects.toThrow('no')
    expect([await contentOf(path), await contentOf(besideOf(path, 'previous'))]).toEqual([2, 1])
    expect(await readdir(home)).toHaveLength(2)
  })

  it('detect any damage: every changed byte and every truncation', async () => {
    await write(1)
    await write(2)
    const whole = await readFile(path)
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole)
      changed[at] = changed[at]! ^ 1
      await writeFile(path, changed)
      const found = await findNewest(path).catch(() => 'none')
      expect([at, found]).toMatchObject([at, { generation: { mark: 1 } }])
      await writeFile(path, whole.subarray(0, at))
      expect(await findNewest(path)).toMatchObject({ generation: { mark: 1 } })
    }
  })

  it('fall back to the previous one, report what is lost, and keep the damaged file', async () => {
    await write(7)
    await write(9)
    const damaged = (await readFile(path)).subarray(0, -3)
    await writeFile(path, damaged)
    expect(await takeNewest(path)).toEqual({
      generation: { path, mark: 7 },
      instead: { problem: 'chain.json is damaged', mark: 9 },
    })
    expect(await readFile(besideOf(path, 'damaged'))).toEqual(damaged)
    expect(await takeNewest(path)).toEqual({ generation: { path, mark: 7 } })
    await write(8)
    expect(await contentOf(besideOf(path, 'previous'))).toBe(7)
  })

  it('are found after a kill between two steps', async () => {
    await write(1)
    await copyFile(path, join(home, 'one'))
    await write(2)
    // The newest is missing and a draft is left over.
    await rm(path)
    await writeFile(join(home, '.chain.json.0000.part'), '{"kept"')
    expect(await takeNewest(path)).toMatchObject({ generation: { path, mark: 1 } })
    expect(await readdir(home)).not.toContain('.chain.json.0000.part')
  })

  it('accept a file without a header if it is JSON', async () => {
    await writeFile(path, '{"block":5}\n')
    expect(await takeNewest(path)).toEqual({ generation: { path, mark: undefined } })
    await write(6)
    expect(await takeNewest(path)).toMatchObject({ generation: { mark: 6 } })
    await rm(besideOf(path, 'previous'))
    for (const text of ['', '{"block":', '{"block"}', '\0\0\0']) {
      await writeFile(path, text)
      await expect(takeNewest(path)).rejects.toThrow(/^chain.json is (damaged|empty)$/)
    }
  })

  it('report what is wrong with both', async () => {
    await write(1)
    await write(2)
    await truncate(path, 0)
    await truncate(besideOf(path, 'previous'), 120)
    await expect(takeNewest(path)).rejects.toThrow(
      'chain.json is empty; chain.previous.json is damaged',
    )
    expect(await readdir(home)).toHaveLength(2)
  })
})
