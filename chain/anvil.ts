import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CreateAnvilOptions, createAnvil } from '@viem/anvil'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { AnvilError } from './errors.ts'
import { guard } from './guard.ts'

export type AnvilSettings = {
  /** Default: a free one. */
  readonly port?: number
  /** Default 31337, on a fork that of the forked chain. */
  readonly chainId?: number
  /** Seconds between blocks. Default: a block per transaction, immediately. */
  readonly blockTime?: number
  /** State file to start from; it is not changed. */
  readonly loadState?: string
  /** The node of a chain to fork. On the fork every account can send, without its key. */
  readonly forkUrl?: string
  /** Records every step of transactions for `debug_traceTransaction`. */
  readonly stepsTracing?: boolean
  /**
   * Startup timeout in milliseconds, default 60,000. Startup takes half a second, on a busy machine
   * much longer.
   */
  readonly startTimeout?: number
}

export type RunningAnvil = {
  readonly url: string
  readonly chainId: number
  readonly port: number
  /** Process id of Anvil; undefined on Windows, where no shell guards it. */
  readonly pid: number | undefined
  /** Stops the process and waits for its exit. Idempotent. */
  stop(): Promise<void>
}

/** Maximum length of log output in an error. */
const longestLog = 500
/** Time in which the node of a forked chain must answer. */
const forkAnswerMs = 10_000

/** The binary of the package for this platform; its wrapper script takes four times as long. */
export function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`
  const require = createRequire(import.meta.url)
  try {
    const own = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
    const directory = dirname(own.resolve(`${name}/package.json`))
    const binary = join(directory, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
    if (existsSync(binary)) return binary
  } catch (cause) {
    throw new AnvilError(`Anvil is not installed for this platform: ${name} is missing`, {
      hint: 'Run npm ci without --omit=optional on this machine.',
      cause,
    })
  }
  throw new AnvilError(`${name} has no binary`, { hint: 'Run npm ci again.' })
}

/**
 * Starts Anvil on 127.0.0.1 and waits until it listens. It stops with `stop`, and also when this
 * process ends in any way (on Windows: on a normal exit only).
 *
 * @throws AnvilError if it cannot be started
 */
export async function startAnvil(settings: AnvilSettings = {}): Promise<RunningAnvil> {
  const { forkUrl, startTimeout = 60_000 } = settings
  const chainId = settings.chainId ?? (forkUrl === undefined ? 31337 : await chainIdAt(forkUrl))
  const options: CreateAnvilOptions = {
    anvilBinary: anvilBinary(),
    host: '127.0.0.1',
    port: settings.port ?? 0,
    chainId,
    startTimeout,
    ...(settings.blockTime === undefined ? {} : { blockTime: settings.blockTime }),
    ...(settings.loadState === undefined ? {} : { loadState: settings.loadState }),
    ...(forkUrl === undefined ? {} : { forkUrl, autoImpersonate: true, noStorageCaching: true }),
    ...(settings.stepsTracing === undefined ? {} : { stepsTracing: settings.stepsTracing }),
  }
  // Anvil writes old states of a long chain to disk, gigabytes in a day, and does not delete them.
  const states = mkdtempSync(join(tmpdir(), 'anvil-states-'))
  options.execArgs = ([file, args, execaOptions = {}]) => {
    // Without --no-cors every web page in a browser on this machine could use the accounts of the
    // chain.
    const all = [...args, '--cache-path', states, '--no-cors']
    if (process.platform === 'win32') return [file, all, execaOptions]
    return [
      'sh',
      ['-c', guard, 'anvil-guard', file, ...all],
      // A separate process group: Ctrl-C in the terminal reaches this process, which stops Anvil
      // once the rest of the service no longer needs the chain.
      {
        ...execaOptions,
        stdin: 'pipe',
        detached: true,
        env: { ...execaOptions.env, GUARDED_DIRECTORY: states },
      },
    ]
  }
  const forget = () => rmSync(states, { recursive: true, force: true, maxRetries: 3 })
  const anvil = createAnvil(options)
  let ended = false
  anvil.on('exit', () => {
    ended = true
  })
  let pid: number | undefined
  let port: number | undefined
  const unsubscribe = anvil.on('stdout', (message) => {
    pid ??= numberAfter(message, /guarded pid (\d+)/)
    port ??= numberAfter(message, /Listening on 127\.0\.0\.1:(\d+)/)
  })
  try {
    await anvil.start()
  } catch (cause) {
    forget()
    const logged = anvil.logs.join('').trim().slice(-longestLog)
    // Addresses of nodes contain keys.
    const said = forkUrl === undefined ? logged : logged.replaceAll(forkUrl, '<forked node>')
    throw new AnvilError(
      `Anvil did not start: ${said || (forkUrl === undefined ? cause : 'no log')}`,
      {
        hint: 'Check that the port is free and the state file was written by this version of Anvil.',
        ...(forkUrl === undefined ? { cause } : {}),
      },
    )
  } finally {
    unsubscribe()
  }
  if (port === undefined) {
    await anvil.stop()
    throw new AnvilError('Anvil did not report its port', { hint: 'Report its version.' })
  }
  return {
    url: `http://127.0.0.1:${port}`,
    chainId,
    port,
    pid,
    // Do not wait for a process that has already exited.
    stop: async () => {
      if (!ended) await anvil.stop()
      forget()
    },
  }
}

/** @throws AnvilError without the address, which may contain a key */
async function chainIdAt(forkUrl: string): Promise<number> {
  const answer = await chainRpc(forkUrl, 'eth_chainId', [], forkAnswerMs).catch(
    (error: unknown) => error,
  )
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer)
  throw new AnvilError('The node of the chain to fork does not answer eth_chainId', {
    hint: 'Check its address, and that it is reachable from this machine.',
  })
}

function numberAfter(message: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(message)?.[1]
  return found === undefined ? undefined : Number(found)
}
