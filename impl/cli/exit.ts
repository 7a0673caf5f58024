import { exitCodeOf } from './exitCodeOf.ts'

/** A reader that needs longer may be stuck: from then on a signal ends the process at once. */
const patienceMs = 500

/** Time that a failed command leaves to what it has still open, milliseconds. */
const graceMs = 250

/**
 * Exits once stdout and stderr have taken everything that was written. Node writes to pipes
 * asynchronously, and `process.exit` discards what does not fit into the buffer of the pipe, 64 KB on
 * Linux. This is the only way in which a command ends the process; a test checks it.
 *
 * @param code default: `process.exitCode`
 */
export async function exit(code?: number): Promise<never> {
  if (code !== undefined) process.exitCode = code
  const impatient = setTimeout(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => exitNow(exitCodeOf(signal)))
  }, patienceMs)
  // Errors of writes that were synchronous, such as to a full disk, are reported first.
  await new Promise((done) => setImmediate(done))
  await Promise.all([taken(process.stdout), taken(process.stderr)])
  clearTimeout(impatient)
  process.exit()
}

/** Exits at once and discards what no reader has taken: for a second Ctrl-C. */
export function exitNow(code: number): never {
  process.exit(code)
}

/**
 * Exits after a failed command, which may have left a timer or a socket that would delay the end of
 * the process.
 */
export function exitAfterFailure(): void {
  if (process.exitCode) setTimeout(() => void exit(), graceMs).unref()
}

/** Resolves when everything written to the stream was taken, or nobody reads it. */
const taken = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((done) => {
    if (stream.writableLength === 0 || stream.destroyed) return done()
    stream.write('', () => done())
  })
