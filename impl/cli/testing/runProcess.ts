import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** For tests: the command line, as a user starts it. */
export const cliPath = fileURLToPath(new URL('../polgate.mjs', import.meta.url))

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export type Running = {
  readonly child: ChildProcess
  /** What was written to stderr so far. */
  readonly told: () => string
  readonly ended: Promise<Ended>
}

/** For tests: starts `polgate` as a process, with pipes and without colours unless `env` asks for them. */
export function startProcess(args: readonly string[], options: SpawnOptions = {}): Running {
  const child = spawn(process.execPath, [cliPath, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined, ...options.env },
  })
  let told = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    told += chunk
  })
  const streams = Promise.all(
    [child.stdout, child.stderr].map(
      (
        stream, // A test may close the stream early.
      ) => (stream ? text(stream).catch(() => '') : ''),
    ),
  )
  const exit = new Promise<number | null>((done, fail) => {
    child.once('error', fail)
    child.once('exit', done)
  })
  const ended = Promise.all([exit, streams]).then(([code, [stdout = '', stderr = '']]) => ({
    code,
    stdout,
    stderr,
  }))
  return { child, told: () => told, ended }
}

/** For tests: runs `polgate` as a process to its end. */
export const runProcess = (args: readonly string[], options: SpawnOptions = {}): Promise<Ended> =>
  startProcess(args, options).ended
