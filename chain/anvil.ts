import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CreateAnvilOptions, createAnvil } from '@viem/anvil'
import { AnvilError } from './errors.ts'
import { guard } from './guard.ts'

export type AnvilSettings = {
  /** Default: a free one. */
  readonly port?: number
  /** Default 31337. */
  readonly chainId?: number
  /** Seconds between blocks. Default: a block as soon as a transaction arrives. */
  readonly blockTime?: number
  /** The file of a state to start from, which stays as it is. */
  readonly loadState?: string
  /** Milliseconds, default 60,000: it takes half a second, on a busy machine many. */
  readonly startTimeout?: number
}

export type RunningAnvil = {
  readonly url: string
  readonly chainId: number
  readonly port: number
  /** The process of Anvil itself; undefined on Windows, where no shell guards it. */
  readonly pid: number | undefined
  /** Ends the process and waits for its end. May be called again. */
  stop(): Promise<void>
}

/** Characters of its log that an error repeats. */
const longestLog = 500

/** The binary that the package of this platform ships; its own wrapper takes four times as long. */
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
 * Starts Anvil on 127.0.0.1 and waits until it listens. The process ends with `stop`, and also when
 * this process ends in any way (on Windows: in any orderly way).
 *
 * @throws AnvilError when it cannot be started.
 */
export async function startAnvil(settings: AnvilSettings = {}): Promise<RunningAnvil> {
  const { chainId = 31337, startTimeout = 60_000 } = settings
  const options: CreateAnvilOptions = {
    anvilBinary: anvilBinary(),
    host: '127.0.0.1',
    port: settings.port ?? 0,
    chainId,
    startTimeout,
    ...(settings.blockTime === undefined ? {} : { blockTime: settings.blockTime }),
    ...(settings.loadState === undefined ? {} : { loadState: settings.loadState }),
  }
  // Old states of a long chain go to disk, gigabytes in a day, and Anvil leaves them there.
  const states = mkdtempSync(join(tmpdir(), 'anvil-states-'))
  options.execArgs = ([file, args, execaOptions = {}]) => {
    // Without --no-cors every page in a browser of this machine may use the accounts of the chain.
    const all = [...args, '--cache-path', states, '--no-cors']
    if (process.platform === 'win32') return [file, all, execaOptions]
    return [
      'sh',
      ['-c', guard, 'anvil-guard', file, ...all],
      // In a group of its own: an interrupt from the terminal reaches us, and we end it when the
      // rest of the service has no more use for the chain.
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
    const said = anvil.logs.join('').trim().slice(-longestLog)
    throw new AnvilError(`Anvil did not start: ${said || cause}`, {
      hint: 'Is the port free, and is the state file one that this Anvil wrote?',
      cause,
    })
  } finally {
    unsubscribe()
  }
  if (port === undefined) {
    await anvil.stop()
    throw new AnvilError('Anvil did not say where it listens', { hint: 'Report its version.' })
  }
  return {
    url: `http://127.0.0.1:${port}`,
    chainId,
    port,
    pid,
    // One that ended by itself would be waited for in vain.
    stop: async () => {
      if (!ended) await anvil.stop()
      forget()
    },
  }
}

function numberAfter(message: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(message)?.[1]
  return found === undefined ? undefined : Number(found)
}
