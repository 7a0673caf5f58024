import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeStackFile } from 'polgate-local/stackFile.ts'
import { registerStack, unregisterStack } from 'polgate-local/stackRegistry.ts'
import { afterEach, expect, test, vi } from 'vitest'
import type { AuthorStack } from './authorStack.ts'
import { runMain } from './runMain.ts'

/** Commands find the running stack from any folder. */
export function findStackSuite(author: () => AuthorStack): void {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })
  async function elsewhere(): Promise<{ state: string; folder: string }> {
    const { directory } = author()
    const state = join(directory, 'state')
    const folder = join(directory, 'empty/deep')
    await mkdir(folder, { recursive: true })
    vi.stubEnv('XDG_STATE_HOME', state)
    vi.spyOn(process, 'cwd').mockReturnValue(folder)
    return { state, folder }
  }

  test('none, one, several, and those of processes that have ended', async () => {
    const { state } = await elsewhere()
    const none = await runMain('chain', 'balance', 'sender')
    expect(none).toMatchObject({ code: 2 })
    expect(none.stderr).toContain('no local stack is running')
    // Content is then in the store that the stacks of this machine share.
    expect(await runMain('content', 'list')).toMatchObject({ code: 0 })

    const { file, stack, directory } = author()
    await registerStack(process.pid, file)
    const stale = join(state, 'polgate/stacks/4194000')
    await writeFile(stale, `${file}\n`)
    expect(await runMain('chain', 'balance', 'sender')).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(stale)).toBe(false)
    expect(await runMain('keys', 'list')).toMatchObject({ code: 0, stderr: '' })

    const second = join(directory, 'second.json')
    const described = (more: object) =>
      writeStackFile({ ...stack.description, pid: process.ppid, ...more }, second)
    await described({})
    await registerStack(process.ppid, second)
    // They share a store.
    expect(await runMain('content', 'list')).toMatchObject({ code: 0 })
    await described({ contentDirectory: join(directory, 'another store') })
    const stores = await runMain('content', 'list')
    expect(stores).toMatchObject({ code: 2 })
    expect(stores.stderr).toContain('2 stacks are running')
    const both = await runMain('chain', 'balance', 'sender')
    expect(both.code).toBe(2)
    expect(both.stderr).toContain('2 stacks are running')
    for (const each of [file, second]) expect(both.stderr).toContain(each)
    expect(both.stderr).toContain('--target FILE')
    expect(await runMain('chain', 'balance', 'sender', '--target', second)).toMatchObject({
      code: 0,
    })
    // The id of a killed stack may be that of another process: its listener does not answer.
    const { controlUrl } = stack.description
    await described({ controlUrl: controlUrl.replace(/\d+$/, '1') })
    expect(await runMain('chain', 'balance', 'sender')).toMatchObject({ code: 0 })
    for (const pid of [process.pid, process.ppid]) await unregisterStack(pid)
    expect(await readdir(join(state, 'polgate/stacks'))).toEqual([])
  })

  test.each([
    ['missing.json', 'does not exist'],
    ['.', 'is not the description of a stack'],
    ['other.json', 'is not the description of a stack'],
  ])('--target %s is refused', async (name, text) => {
    const { folder } = await elsewhere()
    await writeFile(join(folder, 'other.json'), '{"version":1}')
    const { code, stderr } = await runMain('chain', 'mine', '--target', join(folder, name))
    expect(code).toBe(2)
    expect(stderr).toContain(text)
  })
}
