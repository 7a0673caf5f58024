import { fstatSync, writeSync } from 'node:fs'
import { isOpened, writeFailed } from './brokenPipe.ts'

let isDirect = false

/**
 * Lets `print` write to the file descriptor where stdout is a pipe or a file and no stream of it was
 * opened: loading the streams of Node takes longer than evaluating a policy. Call it once per process.
 */
export function printDirectly(): void {
  isDirect = !isTerminal()
}

/** Whether stdout may be a terminal; opens no stream. */
function isTerminal(): boolean {
  try {
    const info = fstatSync(1)
    return !(info.isFIFO() || info.isFile() || info.isSocket())
  } catch {
    return true
  }
}

/** What `colours` asks of stdout. */
export const stdoutTarget = (): { readonly isTTY?: boolean | undefined } =>
  isDirect ? { isTTY: false } : process.stdout

/** Prints a line on stdout. */
export function print(line: string): void {
  if (isDirect && !isOpened('stdout')) writeDirectly(Buffer.from(`${line}\n`))
  else console.log(line)
}

function writeDirectly(bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done)
    } catch (cause) {
      const error = cause as NodeJS.ErrnoException
      if (error.code === 'EINTR') continue
      // Another process made it non-blocking: the stream can wait.
      if (error.code === 'EAGAIN') process.stdout.write(bytes.subarray(done))
      else writeFailed('stdout', error)
      return
    }
  }
}
