import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PGlite } from '@electric-sql/pglite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDirectory } from './directoryLock.ts'
import { openStore } from './openStore.ts'
import { prebuiltKey } from './prebuiltCluster.ts'
import { clusterKey, preparedCluster } from './preparedCluster.ts'
import { migrations } from './schema.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-store-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const locks = async () => (await readdir(home)).filter((name) => name.endsWith('.lock'))

/** A writer in a separate process: prints `open`, then the number of each row it has committed. */
function startWriter(dataDir: string) {
  const script = `
    import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'
    const { openStore } = await importCompiled('impl/service/store/openStore.ts')
    const store = await openStore({ dataDir: ${JSON.stringify(dataDir)} })
    console.log('open')
    for (let n = 0; ; n++) {
      await store.apiKeys.create({ name: String(n), permissions: ['rpc'] })
      console.log(n)
    }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const committed: number[] = []
  const until = (n: number) =>
    new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the writer ended')))
      lines.on('line', (line) => {
        if (line !== 'open') committed.push(Number(line))
        if (committed.length >= n) resolve()
      })
    })
  const kill = async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return { until, kill, committed, pid: child.pid as number }
}

describe('data directory', () => {
  it('keeps committed rows when the process is killed during writes', async () => {
    for (const rows of [1, 40, 150]) {
      const writer = startWriter(home)
      await writer.until(rows).finally(writer.kill)
      const store = await openStore({ dataDir: home })
      const found = await store.database.query<{ name: string }>('select name from api_keys')
      const names = new Set(found.map(({ name }) => Number(name)))
      // The last line may be truncated; every number printed before it is in the database.
      expect(writer.committed.filter((n) => !names.has(n))).toEqual([])
      expect(names.size - writer.committed.length).toBeLessThanOrEqual(2)
      await store.database.execute('delete from api_keys')
      await store.close()
    }
  })

  it('has one writer: a second process is rejected with the pid of the first, until that ends', async () => {
    const writer = startWriter(home)
    await writer.until(1)
    await expect(openStore({ dataDir: home })).rejects.toMatchObject({
      message: `The data directory is in use by process ${writer.pid}`,
      code: 'in-use',
    })
    await writer.kill()
    const store = await openStore({ dataDir: home })
    await expect(openStore({ dataDir: home })).rejects.toThrow(`in use by process ${process.pid}`)
    await store.close()
    expect(await locks()).toEqual([])
  })

  it('is reopened with its content', async () => {
    const first = await openStore({ dataDir: home })
    await first.secrets.put({ policyClient: '0x1', policyDataAddress: '0x2' }, 'kept')
    await first.close()
    const second = await openStore({ dataDir: home })
    expect(await second.secrets.get({ policyClient: '0x1', policyDataAddress: '0x2' })).toBe('kept')
    await second.close()
  })

  it('removes incomplete copies of a killed process', async () => {
    await mkdir(join(home, 'cluster.123-abc'), { recursive: true })
    const store = await openStore({ dataDir: home })
    expect(existsSync(join(home, 'cluster.123-abc'))).toBe(false)
    await store.close()
  })

  it('is released when opening fails', async () => {
    await mkdir(join(home, 'cluster'))
    await writeFile(join(home, 'cluster', 'PG_VERSION'), 'nonsense')
    await expect(openStore({ dataDir: home })).rejects.toThrow()
    expect(await locks()).toEqual([])
  })
})

describe('lock', () => {
  it.each([
    ['lock of an ended process', 4_194_303, { pid: 4_194_303, started: '' }],
    ['lock of a pid that was reused', process.pid, { pid: process.pid, started: 'boot/1' }],
    ['incomplete lock of an ended process', 4_194_303, undefined],
  ])('%s is taken over', async (_, pid, content) => {
    const text = content === undefined ? '{"pi' : JSON.stringify(content)
    await writeFile(join(home, `writer-${pid}-000000000000.lock`), text)
    const release = lockDirectory(home)
    expect(await locks()).toHaveLength(1)
    release()
    expect(await locks()).toEqual([])
  })

  it('an incomplete lock of a running process is respected', async () => {
    await writeFile(join(home, `writer-${process.ppid}-000000000000.lock`), '')
    expect(() => lockDirectory(home)).toThrow(`in use by process ${process.ppid}`)
    expect(await locks()).toHaveLength(1)
  })

  it('is locked once', () => {
    const release = lockDirectory(home)
    expect(() => lockDirectory(home)).toThrow('in use')
    release()
    lockDirectory(home)()
  })
})

describe('prepared cluster', () => {
  const tar = new Uint8Array()
  const prebuilt = async () => undefined

  it('is created once, by the first caller', async () => {
    let made = 0
    const make = async (directory: string) => {
      made += 1
      await mkdir(directory)
      return tar
    }
    const found = await Promise.all([
      preparedCluster(make, { cache: home, prebuilt }),
      preparedCluster(make, { cache: home, prebuilt }),
    ])
    expect(found[0]).toEqual(found[1])
    const before = made
    await preparedCluster(make, { cache: home, prebuilt })
    expect(made).toBe(before)
    expect(await readdir(home)).toHaveLength(1)
  })

  it('leaves nothing when its creation fails', async () => {
    const make = async (directory: string) => {
      await mkdir(directory)
      throw new Error('no space')
    }
    expect(await preparedCluster(make, { cache: home, prebuilt })).toBeUndefined()
    expect(await readdir(home)).toEqual([])
  })

  it('is unpacked from the one in the repository, which is of the present migrations', async () => {
    expect(await prebuiltKey()).toBe(await clusterKey())
    const make = () => Promise.reject(new Error('created'))
    const found = await preparedCluster(make, { cache: home })
    const database = await PGlite.create({ dataDir: found!.directory })
    const rows = await database.query('select id from schema_migrations order by id')
    expect(rows.rows).toEqual(migrations.map((_, at) => ({ id: at + 1 })))
    await database.close()
    const inMemory = await PGlite.create({ loadDataDir: await openAsBlob(found!.tar) })
    expect((await inMemory.query('select count(*)::int4 as n from tasks')).rows).toEqual([{ n: 0 }])
    await inMemory.close()
  })

  it.each([
    ['of other sources', async () => undefined],
    ['damaged', () => Promise.reject(new Error('Decompression failed'))],
    ['no archive', async () => new Uint8Array([1])],
  ])('is created where the prebuilt one is %s', async (_, prebuilt) => {
    const make = async (directory: string) => {
      await mkdir(directory)
      return tar
    }
    const found = await preparedCluster(make, { cache: home, prebuilt })
    expect(await readdir(found!.directory)).toEqual([])
  })

  it('is skipped when the cache is not writable', async () => {
    await writeFile(join(home, 'file'), '')
    expect(await preparedCluster(async () => tar, { cache: join(home, 'file') })).toBeUndefined()
  })
})
