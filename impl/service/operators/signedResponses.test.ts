import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountSmallDisk, type SmallDisk } from 'polgate-lib/files/smallDisk.fixture.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSignedResponses } from './signedResponses.ts'

const bytes = (digit: string) => `0x${digit.repeat(64)}` as const
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-signed-responses-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('signed responses of an operator', () => {
  it('allow one response per task, any number of times', () => {
    const responses = createSignedResponses()
    expect(responses.admit(bytes('a'), bytes('1'))).toBe(true)
    expect(responses.admit(bytes('a'), bytes('1'))).toBe(true)
    expect(responses.admit(bytes('A'), bytes('2'))).toBe(false)
    expect(responses.admit(bytes('b'), bytes('2'))).toBe(true)
    expect(responses.admit(bytes('a'), bytes('1'))).toBe(true)
  })

  it('are evicted from the oldest on', () => {
    const responses = createSignedResponses({ most: 2 })
    for (const task of ['a', 'b', 'c']) responses.admit(bytes(task), bytes('1'))
    expect(responses.admit(bytes('c'), bytes('2'))).toBe(false)
    expect(responses.admit(bytes('b'), bytes('2'))).toBe(false)
    expect(responses.admit(bytes('a'), bytes('2'))).toBe(true)
  })

  it('survive a restart, even with a truncated line', async () => {
    const file = join(directory, 'state', 'signed')
    const first = createSignedResponses({ file, most: 2 })
    for (const task of ['a', 'b', 'c']) first.admit(bytes(task), bytes('1'))
    await appendFile(file, `${bytes('d')} 0x12`)
    const second = createSignedResponses({ file, most: 2 })
    expect(await readFile(file, 'utf8')).toBe(
      `${bytes('b')} ${bytes('1')}\n${bytes('c')} ${bytes('1')}\n`,
    )
    expect(second.admit(bytes('c'), bytes('2'))).toBe(false)
    expect(second.admit(bytes('c'), bytes('1'))).toBe(true)
    expect(second.admit(bytes('d'), bytes('2'))).toBe(true)
    first.close()
    second.close()
    const third = createSignedResponses({ file })
    expect(third.admit(bytes('d'), bytes('1'))).toBe(false)
    third.close()
  })

  it.each([
    ['a changed line', (text: string) => text.replace('0x', '1x')],
    ['zeros for a line', (text: string) => `${'\0'.repeat(133)}${text.slice(133)}`],
    ['zeros within a line', (text: string) => `${text.slice(0, 20)}\0\0${text.slice(22)}`],
  ])('are not forgotten: the file with %s is refused by its name', async (_, change) => {
    const file = join(directory, 'damaged')
    await rm(file, { force: true })
    const first = createSignedResponses({ file })
    for (const task of ['a', 'b', 'c']) first.admit(bytes(task), bytes('1'))
    first.close()
    await writeFile(file, change(await readFile(file, 'utf8')))
    expect(() => createSignedResponses({ file })).toThrow(`${file} is damaged: line 1`)
  })

  it('are read with what a power cut leaves after the last one', async () => {
    const file = join(directory, 'cut')
    const first = createSignedResponses({ file })
    first.admit(bytes('a'), bytes('1'))
    first.close()
    await appendFile(file, '\0'.repeat(133))
    const second = createSignedResponses({ file })
    expect(second.admit(bytes('a'), bytes('2'))).toBe(false)
    second.close()
  })

  it('are locked by one process', async () => {
    const file = join(directory, 'taken')
    const lock = `${file}.lock`
    // The parent of this process lives; no process has the largest number.
    await writeFile(lock, `${process.ppid}`)
    expect(() => createSignedResponses({ file })).toThrow(
      expect.objectContaining({
        message: `${file} is in use by process ${process.ppid}`,
        hint: expect.stringContaining(`delete ${lock}`),
      }),
    )
    for (const left of ['2147483646', 'no number', '', `${process.pid}`]) {
      await writeFile(lock, left)
      const responses = createSignedResponses({ file })
      expect(await readFile(lock, 'utf8')).toBe(`${process.pid}`)
      responses.close()
      await expect(readFile(lock)).rejects.toThrow('ENOENT')
    }
  })
})

const disk = mountSmallDisk('64k')

describe.runIf(disk !== undefined)('signed responses on a full disk', () => {
  const { directory: small, fill, free, close } = disk ?? ({} as SmallDisk)
  afterAll(close)

  it('survive a restart with any truncated line', () => {
    const file = join(small, 'signed')
    const task = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
    const responses = createSignedResponses({ file })
    expect(responses.admit(task(0), bytes('1'))).toBe(true)
    fill()
    let n = 0
    const admitAll = () => {
      for (;;) responses.admit(task(++n), bytes('1'))
    }
    expect(admitAll).toThrow(/ENOSPC/)
    expect(n).toBeGreaterThan(5)
    free()
    // A response that could not be stored was not signed, and may be requested again.
    for (const again of [n + 1, n + 2, n])
      expect(responses.admit(task(again), bytes('1'))).toBe(true)
    responses.close()
    const restarted = createSignedResponses({ file })
    for (let at = 0; at <= n + 2; at++) expect(restarted.admit(task(at), bytes('2'))).toBe(false)
    restarted.close()
  })
})
