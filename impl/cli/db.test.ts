import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from 'polgate-service/store/openDatabase.ts'
import { newestSchema } from 'polgate-service/store/schemaVersion.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runMain } from './testing/runMain.ts'

let home: string
let data: string
let config: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-db-'))
  data = join(home, 'data')
  config = join(home, 'service.json')
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** Runs the command in this process, which is faster. */
async function run(...args: string[]) {
  for (const name of ['SVC_DATABASE_URL', 'DATABASE_URL']) vi.stubEnv(name, undefined)
  vi.stubEnv('DATA', data)
  try {
    return await runMain('db', ...args)
  } finally {
    vi.unstubAllEnvs()
  }
}
async function change(sql: string) {
  const database = await openDatabase({ dataDir: data }, { mustExist: true })
  await database.execute(sql).finally(() => database.close())
}

describe('polgate db', () => {
  it('migrates, shows the status, and exits 1 while migrations are pending', async () => {
    // `status` creates nothing.
    const none = await run('status', '--data-dir', data)
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('No store found in ') })
    expect(await readdir(home)).toEqual([])
    // Only `store` is read from a configuration: variables of other members may be unset.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is read from the environment
    const written = { store: { dataDir: '${DATA}' }, keys: { gateway: '${NOT_SET}' } }
    await writeFile(config, JSON.stringify(written))
    const made = await run('migrate', '--config', config, '--json')
    expect(JSON.parse(made.stdout)).toMatchObject({ schema: newestSchema })
    const status = await run('status', '--config', config, '--json')
    expect(status.code).toBe(0)
    expect(JSON.parse(status.stdout)).toMatchObject({
      engine: 'embedded',
      schema: newestSchema,
      newestSchema,
      pending: [],
      unfinishedTasks: 0,
      queuedPostings: 0,
      pendingNotifications: 0,
      indexers: [],
    })

    await change(`delete from schema_migrations where id = ${newestSchema};
      insert into secrets values ('0x1', '0x2', 'kept', now())`)
    const older = await run('status', '--data-dir', data)
    expect(older).toMatchObject({ code: 1, stderr: '' })
    expect(older.stdout).toMatch(new RegExp(`schema +${newestSchema - 1} of ${newestSchema}`))
    expect(older.stdout).toMatch(/secrets +1 rows/)
    await change(`insert into schema_migrations values (999)`)
    const newer = await run('status', '--data-dir', data)
    expect(newer).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The database has schema 999'),
    })
    expect(await run('migrate', '--data-dir', data)).toMatchObject({ code: 2, stdout: '' })
  }, 300_000)

  it.each([
    [['status', '--config', 'service.json', '--data-dir', 'data'], 'select different databases'],
    [['status'], 'No database to inspect'],
    [['migrate'], 'No database to migrate'],
    [
      ['status', '--database-url', 'postgres://svc:a-password@127.0.0.1:1/none'],
      'cannot be reached',
    ],
    [
      ['status', '--database-url', 'postgres://svc:a-password@host:port/none'],
      'Invalid connection string',
    ],
  ])('%j cannot run, and does not print the password', async (args, message) => {
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('a-password')
  })
})
