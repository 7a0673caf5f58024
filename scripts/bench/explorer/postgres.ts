import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Postgres = {
  readonly url: string
  readonly version: string
  readonly pid: number | undefined
  close(): Promise<void>
}

/** The newest of Debian's directories, or where PATH finds it; undefined where there is none. */
const binaries = (): string | undefined => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : []
  const inDebian = versions.map((version) => join(debian, version, 'bin'))
  const inPath = (process.env.PATH ?? '').split(':')
  return [...inDebian, ...inPath].find((directory) => existsSync(join(directory, 'initdb')))
}

/** The server refuses to run as root: then it is run as the user that its package made. */
const userOf = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
  return { uid: id('-u'), gid: id('-g') }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const ready = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let text = ''
    server.stderr?.on('data', (chunk) => {
      text = (text + String(chunk)).slice(-4000)
      if (text.includes('ready to accept connections')) resolve()
    })
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${text}`)))
  })

/**
 * A PostgreSQL server of its own, in a directory of its own, on loopback; gone when it is closed.
 *
 * Settings as for a small machine: a quarter of its memory as buffers is not needed for what is
 * measured, full durability is (`fsync`, `synchronous_commit`).
 *
 * @returns undefined where no PostgreSQL is installed
 */
export const startPostgres = async (): Promise<Postgres | undefined> => {
  const bin = binaries()
  if (bin === undefined) return undefined
  const user = userOf()
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-postgres-'))
  if (user !== undefined) await chown(directory, user.uid, user.gid)
  const run = { ...user, cwd: directory, stdio: 'pipe' } as const
  const data = join(directory, 'data')
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    run,
  )
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: directory,
    shared_buffers: '2GB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    max_connections: 100,
    autovacuum_naptime: '15s',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...args], {
    ...run,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // However this process ends, its server ends with it.
  const leave = () => {
    server.kill('SIGINT')
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', leave)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  process.stdout.once('error', () => process.exit(1))
  await ready(server)
  return {
    url: `postgresql://bench@127.0.0.1:${port}/postgres`,
    version: execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim(),
    pid: server.pid,
    async close() {
      process.off('exit', leave)
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
