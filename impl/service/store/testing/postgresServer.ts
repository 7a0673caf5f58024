import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { freePort } from 'polgate-lib/http/freePort.ts'
import { StoreError } from '../storeError.ts'
import { findPostgres, type PostgresBinaries, packagedFrom } from './postgresBinaries.ts'
import { unprivilegedUser } from './unprivilegedUser.ts'

export type PostgresOptions = {
  /** Settings of the server, as in postgresql.conf; they override those of this file. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Whether commits survive a crash of the machine. Default: no, which is faster. */
  readonly durable?: boolean
  /** An empty directory for the files of the database, for instance on a small disk. Default: a temporary one. */
  readonly data?: string
  /** Default: the result of `findPostgres`. */
  readonly binaries?: PostgresBinaries
}

export type RunningPostgres = {
  /** URL of a database in which schemas may be created, with user and password: not for a log. */
  readonly url: string
  /** Origin of the binaries, for reports. */
  readonly from: string
  /** Directory of its files until it stops; undefined for a server that was already running. */
  readonly directory: string | undefined
  /**
   * Stops the server immediately, as a crash would (`pg_ctl stop -m immediate`). Its files stay
   * until the returned function has restarted it, on the same port.
   */
  crash(): Promise<() => Promise<void>>
  /** Stops the server and removes its files. Idempotent. */
  stop(): Promise<void>
}

type Handle = { unref?(): void }
type Server = ChildProcessByStdio<Writable, null, Readable>

const user = 'svc'

/**
 * Runs "$@" until this shell's standard input closes, which means that the process that started it
 * has ended, in whatever way; then removes $DIRECTORY, unless the server is to be restarted. The
 * server gets SIGQUIT, an immediate shutdown, and SIGKILL after five seconds.
 */
const guard = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- &',
  'child=$!',
  'tries=0',
  'end() { kill -QUIT "$child"; while kill -0 "$child" && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries+1)); done; kill -9 "$child"; }',
  'trap \'kill -QUIT "$child"\' TERM INT HUP',
  '(trap - TERM INT HUP; read -r _ <&3; end) >/dev/null 2>&1 &',
  'watch=$!',
  'wait "$child"',
  'wait "$child"',
  'kill "$watch" 2>/dev/null',
  '[ -e "$DIRECTORY/crashed" ] || rm -rf -- "$DIRECTORY"',
].join('\n')

const quick = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

const always = {
  listen_addresses: '127.0.0.1',
  max_connections: 300,
  shared_buffers: '64MB',
  // A directory that is removed, instead of shared memory, of which a container has little.
  dynamic_shared_memory_type: 'mmap',
}

/**
 * A PostgreSQL server for tests and benchmarks: the one of SVC_TEST_POSTGRES_URL, or a new one on
 * loopback, with a password and a temporary directory. It ends with `stop`, and also when this
 * process ends in any way.
 *
 * @throws StoreError `not-found`, `unavailable`
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  const given = process.env.SVC_TEST_POSTGRES_URL
  if (given !== undefined && given !== '')
    return {
      url: given,
      from: 'SVC_TEST_POSTGRES_URL',
      directory: undefined,
      async crash() {
        throw new StoreError('Cannot crash an external server', {
          code: 'unavailable',
          hint: 'Unset SVC_TEST_POSTGRES_URL.',
        })
      },
      async stop() {},
    }
  if (process.platform === 'win32')
    throw new StoreError('Cannot start a server on Windows', {
      code: 'unavailable',
      hint: 'Start one and set SVC_TEST_POSTGRES_URL to its URL.',
    })
  const binaries = options.binaries ?? findPostgres()
  for (let tries = 1; ; tries++) {
    const started = await start(binaries, options)
    if ('stop' in started) return started
    // Another process may have taken the port since it was found free.
    if (tries === 5 || !/Address already in use/.test(started.log))
      throw new StoreError(`PostgreSQL failed to start: ${lastLine(started.log)}`, {
        code: 'unavailable',
        hint: `Check that the binaries run here. Their origin: ${binaries.from}.`,
      })
  }
}

async function start(
  binaries: PostgresBinaries,
  options: PostgresOptions,
): Promise<RunningPostgres | { readonly log: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-postgres-'))
  try {
    const password = randomBytes(16).toString('hex')
    const own = await reachable(binaries, directory)
    const [port] = await Promise.all([
      freePort(),
      makeCluster(own, directory, password, options.data),
    ])
    const run = async (): Promise<Server | string> => {
      const started = spawnServer(own, directory, port, options)
      const log = await untilReady(started)
      if (log !== undefined) return log
      // It does not keep this process alive, but ends with this process.
      for (const handle of [started, started.stdin, started.stderr] as Handle[]) handle.unref?.()
      return started
    }
    const first = await run()
    if (typeof first === 'string') return { log: first }
    let child = first
    const crashed = join(directory, 'crashed')
    const startAgain = async () => {
      const again = await run()
      if (typeof again === 'string')
        throw new StoreError(`PostgreSQL failed to restart: ${lastLine(again)}`, {
          code: 'unavailable',
          hint: 'Another process may have taken its port.',
        })
      await rm(crashed)
      child = again
    }
    return {
      url: `postgresql://${user}:${password}@127.0.0.1:${port}/postgres`,
      from: binaries.from,
      directory,
      async crash() {
        await writeFile(crashed, '')
        await end(child)
        return startAgain
      },
      async stop() {
        await rm(crashed, { force: true })
        await end(child)
        await rm(directory, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

/**
 * Makes binaries readable for the user of the server: those of a package may lie in directories
 * that are closed to other users. A copy is removed with the directory of the server.
 */
async function reachable(binaries: PostgresBinaries, directory: string): Promise<PostgresBinaries> {
  const owner = unprivilegedUser()
  if (owner === undefined || binaries.from !== packagedFrom) return binaries
  const copy = join(directory, 'native')
  await cp(dirname(binaries.directory), copy, { recursive: true, verbatimSymlinks: true })
  // The guard removes them, as that user.
  await promisify(execFile)('chown', ['-R', '-h', `${owner.uid}:${owner.gid}`, copy])
  return { ...binaries, directory: join(copy, 'bin') }
}

async function makeCluster(
  { directory: binaries, from }: PostgresBinaries,
  directory: string,
  password: string,
  data: string | undefined,
): Promise<void> {
  const passwordFile = join(directory, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  const owner = unprivilegedUser()
  if (owner !== undefined)
    for (const path of [directory, passwordFile, ...(data === undefined ? [] : [data])])
      await chown(path, owner.uid, owner.gid)
  if (data !== undefined) await symlink(data, join(directory, 'data'))
  const words = [
    ...['-D', join(directory, 'data'), '-U', user, '-A', 'scram-sha-256'],
    ...['--pwfile', passwordFile, '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
  ]
  try {
    const settings = { cwd: directory, env: environment(directory), ...owner }
    await promisify(execFile)(join(binaries, 'initdb'), words, settings)
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string }
    throw new StoreError(`initdb failed: ${lastLine(stderr) || String(cause)}`, {
      code: 'unavailable',
      hint: `Check that the binaries run here and that ${owner ? 'an unprivileged user' : 'this user'} can read them. Their origin: ${from}.`,
      cause,
    })
  }
  await rm(passwordFile)
}

function spawnServer(
  { directory: binaries }: PostgresBinaries,
  directory: string,
  port: number,
  { settings, durable = false }: PostgresOptions,
): Server {
  const all = { ...always, ...(durable ? {} : quick), port, ...settings }
  const data = join(directory, 'data')
  return spawn(
    'sh',
    [
      ...['-c', guard, 'postgres-guard', join(binaries, 'postgres'), '-D', data, '-k', directory],
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      // A separate process group: an interrupt from the terminal does not reach it, so it ends
      // last.
      detached: true,
      cwd: directory,
      env: { ...environment(directory), DIRECTORY: directory },
      stdio: ['pipe', 'ignore', 'pipe'],
      ...unprivilegedUser(),
    },
  )
}

/** Waits until the server accepts connections; returns its log if it ends before. */
function untilReady(child: Server): Promise<string | undefined> {
  let log = ''
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(log))
    // Read to the end: a server with a full log pipe would block.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const seen = log + text
      log = seen.slice(-4_096)
      if (/database system is ready to accept connections/.test(seen)) resolve(undefined)
    })
  })
}

async function end(child: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.ref()
  child.stdin.end()
  await ended
}

/** A minimal environment: PGDATA and similar variables would change the configuration. */
const environment = (directory: string) => ({
  PATH: process.env.PATH,
  HOME: directory,
  TMPDIR: directory,
  LC_ALL: 'C',
})

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
