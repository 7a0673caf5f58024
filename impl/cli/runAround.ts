import { spawn } from 'node:child_process'
import { exitCodeOf } from './exitCodeOf.ts'
import { groupEnd } from './groupEnd.ts'

export type AroundOptions = {
  /** A line for the shell. */
  readonly command: string
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** A signal that ends this process; the command receives it first. */
  readonly ending: Promise<NodeJS.Signals>
  /** Time that the command has to end on a signal, milliseconds; default 10,000. */
  readonly endMs?: number | undefined
}

/**
 * Runs a shell command that owns stdin, stdout and stderr; returns its exit code. Outside a terminal
 * it has a process group of its own, so that a signal reaches what its shell has started as well. In a
 * terminal it shares the group of this process, which Ctrl-C reaches as a whole; a group of its own
 * could not read from the terminal.
 */
export function runAround(options: AroundOptions): Promise<number> {
  const { command, env, ending, endMs = 10_000 } = options
  return new Promise((done) => {
    const ownGroup = !process.stdin.isTTY && process.platform !== 'win32'
    const child = spawn(command, {
      shell: true,
      stdio: 'inherit',
      detached: ownGroup,
      env: { ...process.env, ...env },
    })
    const send = (signal: NodeJS.Signals) => {
      try {
        if (ownGroup && child.pid !== undefined) process.kill(-child.pid, signal)
        else child.kill(signal)
      } catch {
        // It has ended already.
      }
    }
    let late: NodeJS.Timeout | undefined
    void ending.then((signal) => {
      send(signal)
      late = setTimeout(() => send('SIGKILL'), endMs)
    })
    const end = (code: number) => {
      clearTimeout(late)
      done(code)
    }
    child.once('error', () => end(2))
    child.once('exit', (code, signal) => {
      const result = code ?? exitCodeOf(signal ?? 'SIGTERM')
      // A shell may end before what it has started, which still needs the stack.
      const rest =
        ownGroup && late !== undefined ? groupEnd(child.pid!, endMs) : Promise.resolve(true)
      void rest.then((gone) => {
        if (!gone) send('SIGKILL')
        end(result)
      })
    })
  })
}
