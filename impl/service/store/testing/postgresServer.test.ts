import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openServer } from '../server.ts'
import { packagedPostgres } from './postgresBinaries.ts'
import { startPostgres } from './postgresServer.ts'

const given = process.env.SVC_TEST_POSTGRES_URL !== undefined
const windows = process.platform === 'win32'

async function versionOf(url: string) {
  const database = await openServer(url)
  const [row] = await database.query('show server_version_num').finally(() => database.close())
  return Number(row?.server_version_num)
}

describe.skipIf(given || windows)('a started PostgreSQL server', () => {
  const packaged = packagedPostgres()
  it.runIf(packaged !== undefined)('runs from the package, and leaves no files', async () => {
    const server = await startPostgres({ binaries: packaged! })
    expect(await versionOf(server.url)).toBeGreaterThanOrEqual(150_000)
    await server.stop()
    await server.stop()
    expect(existsSync(server.directory!)).toBe(false)
    await expect(versionOf(server.url)).rejects.toThrow('cannot be reached')
  })

  it('rejects a login without the password', async () => {
    const server = await startPostgres({ settings: { application_name: 'other' } })
    const url = new URL(server.url)
    url.password = 'another'
    await expect(versionOf(url.href)).rejects.toThrow('28P01')
    await server.stop()
  })

  it('ends with the process that started it, however that ends', async () => {
    const script = `
      import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'
      const { startPostgres } = await importCompiled('impl/service/store/testing/postgresServer.ts')
      const { url, directory } = await startPostgres()
      console.log(JSON.stringify({ url, directory }))
      setInterval(() => {}, 1_000)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { url, directory } = JSON.parse(line.toString()) as { url: string; directory: string }
    expect(await versionOf(url)).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await expect.poll(() => existsSync(directory)).toBe(false)
    await expect(versionOf(url)).rejects.toThrow('cannot be reached')
  })

  it('reports binaries that do not run', async () => {
    const binaries = { directory: '/nowhere', from: 'a test' }
    await expect(startPostgres({ binaries })).rejects.toMatchObject({ code: 'unavailable' })
  })
})
