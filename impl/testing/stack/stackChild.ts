import { type ChildProcess, fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { FromStack, StackConnection, ToStack } from './controlWire.ts'
import type { StackOptions } from './stackOptions.ts'
import { TestingError } from './testingError.ts'

/** The process of a stack. */
export type StackChild = {
  readonly connection: StackConnection
  /** What to say of calls that fail because the process has ended; undefined while it runs. */
  ended(): string | undefined
  /** Resolves when the process has ended. Idempotent. */
  close(): Promise<void>
}

const defaultStartMs = 120_000
/** Milliseconds that a stack has for its end, before its process is killed. */
const closeMs = 15_000
/** Lines of its log that an error quotes. */
const quotedLines = 20
const longestLine = 2_000

/**
 * Starts a stack in a process of its own, so that a test's threads and timers are not slowed by it.
 * It ends with this process, however this one ends, and does not keep this one alive.
 *
 * @throws TestingError `start`
 */
export async function startStackChild(options: StackOptions): Promise<StackChild> {
  const { log, startTimeout = defaultStartMs } = options
  const child = fork(
    fileURLToPath(new URL('../process/stackProcess.worker.mjs', import.meta.url)),
    {
      // Not those of the test runner.
      execArgv: [],
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'json',
    },
  )
  const lines: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lines.push(line.slice(0, longestLine))
    if (lines.length > quotedLines) lines.shift()
    log?.(line)
  })
  const quoted = () => (lines.length === 0 ? '' : `\n${lines.join('\n')}`)
  let end: string | undefined
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      end = `the process of the stack has ended (${signal ?? `code ${code}`})${quoted()}`
      resolve()
    })
  })
  try {
    const connection = await ready(child, { settings: settingsOf(options), startTimeout, exited })
    letGo(child)
    return { connection, ended: () => end, close: () => closeChild(child, exited) }
  } catch (error) {
    await closeChild(child, exited)
    if (error instanceof TestingError) throw error
    throw new TestingError(`The stack did not start: ${(error as Error).message}${quoted()}`, {
      code: 'start',
      hint: 'Pass log: console.error to startStack to see every step.',
      cause: error,
    })
  }
}

/** Without what a test runner sets for its own workers, and what a debugger would attach to. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('VITEST') && name !== 'NODE_OPTIONS' && name !== 'NODE_CHANNEL_FD',
  )
  return Object.fromEntries(kept)
}

function settingsOf(options: StackOptions): Extract<ToStack, { does: 'start' }>['settings'] {
  const { brand, operators = 4, chainId = 31337, allowedOracleHosts = [], log } = options
  const logLevel = options.logLevel ?? (log === undefined ? 'silent' : 'info')
  return { brand, operators, chainId, allowedOracleHosts, logLevel }
}

function ready(
  child: ChildProcess,
  {
    settings,
    startTimeout,
    exited,
  }: {
    readonly settings: Extract<ToStack, { does: 'start' }>['settings']
    readonly startTimeout: number
    readonly exited: Promise<void>
  },
): Promise<StackConnection> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`it was not ready within ${startTimeout} ms`)),
      startTimeout,
    )
    const settle = (work: () => void) => {
      clearTimeout(timer)
      work()
    }
    child.once('message', (message: FromStack) =>
      settle(() =>
        message.is === 'ready' ? resolve(message.connection) : reject(new Error(message.error)),
      ),
    )
    child.once('error', (error) => settle(() => reject(error)))
    void exited.then(() => settle(() => reject(new Error('its process ended'))))
    child.send({ does: 'start', settings } satisfies ToStack)
  })
}

/** A test that forgets to close a stack still ends, and the stack with it. */
function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  ;(child.stderr as unknown as { unref(): void }).unref()
}

async function closeChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return await exited
  child.ref()
  const kill = setTimeout(() => child.kill('SIGKILL'), closeMs)
  if (child.connected) child.send({ does: 'close' } satisfies ToStack, () => {})
  else child.kill('SIGTERM')
  await exited
  clearTimeout(kill)
}
