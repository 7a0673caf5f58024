import { exitNow } from './exit.ts'

const closed = new AbortController()

/** Aborted when nobody reads stdout any more, for commands that would print without end. */
export const stdoutClosed: AbortSignal = closed.signal

/**
 * Ignores that stdout or stderr is closed early, as by `polgate ... | head`: the command goes on
 * without output, because its exit code is known only at its end. Any other failed write, such as to a
 * full disk, is a one-line error. Call it once per process: the listeners stay, because a write may
 * fail after the command has ended.
 */
export function tolerateBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isClosed(error)) return closed.abort()
    process.stderr.write(`error: cannot write to standard output: ${error.message}\n`)
    exitNow(2)
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!isClosed(error)) exitNow(2)
  })
}

const isClosed = ({ code }: NodeJS.ErrnoException) =>
  code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
