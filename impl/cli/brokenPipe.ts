import { exitNow } from './exit.ts'

type Output = 'stdout' | 'stderr'

const opened = new Set<Output>()
let closed: AbortController | undefined
let isStdoutClosed = false

/** Aborted when nobody reads stdout any more, for commands that would print without end. */
export function stdoutClosed(): AbortSignal {
  closed ??= new AbortController()
  if (isStdoutClosed) closed.abort()
  return closed.signal
}

/**
 * Ignores that stdout or stderr is closed early, as by `polgate ... | head`: the command goes on
 * without output, because its exit code is known only at its end. Any other failed write, such as to a
 * full disk, is a one-line error. Call it once per process: the listeners stay, because a write may
 * fail after the command has ended.
 */
export function tolerateBrokenPipe(): void {
  for (const name of ['stdout', 'stderr'] as const) whenOpened(name)
}

/** Whether something has asked for the stream: from then on, only it writes in the right order. */
export const isOpened = (name: Output): boolean => opened.has(name)

/** Ends the command for a failed write, unless only the reader is gone. */
export function writeFailed(name: Output, error: NodeJS.ErrnoException): void {
  const isClosed = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
  if (isClosed && name === 'stdout') {
    isStdoutClosed = true
    closed?.abort()
  }
  if (isClosed) return
  if (name === 'stdout')
    process.stderr.write(`error: cannot write to standard output: ${error.message}\n`)
  exitNow(2)
}

/** Listens for errors once the stream is used. Opening one takes as long as compiling a policy. */
function whenOpened(name: Output): void {
  const own = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor
  Object.defineProperty(process, name, {
    ...own,
    get() {
      Object.defineProperty(process, name, own)
      opened.add(name)
      const stream = name === 'stdout' ? process.stdout : process.stderr
      stream.on('error', (error: NodeJS.ErrnoException) => writeFailed(name, error))
      return stream
    },
  })
}
