import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const svc = fileURLToPath(new URL('../../cli/polgate.mjs', import.meta.url))

export type SvcProcess<Ready> = {
  /** The line that it printed when ready. */
  readonly ready: Ready
  readonly pid: number
  /** The end of its stderr. */
  complaints(): string
  /** Sends the signal and waits for the process to end. No effect if it has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a command of `polgate` as a separate process, with its configuration on standard input. */
export async function startSvc<Ready>(
  verb: string,
  config: object,
  env: Readonly<Record<string, string>>,
): Promise<SvcProcess<Ready>> {
  const child = spawn(process.execPath, [svc, verb, '--config', '-'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + String(chunk)).slice(-200_000)
  })
  child.stdin.end(JSON.stringify(config))
  const ready = await new Promise<Ready>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)))
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`polgate ${verb} exited with ${code}: ${complaints}`)),
    )
  })
  return {
    ready,
    pid: child.pid!,
    complaints: () => complaints,
    async end(signal) {
      if (isRunning(child)) {
        const ended = once(child, 'exit')
        child.kill(signal)
        // A suspended process does not handle other signals.
        child.kill('SIGCONT')
        await ended
      }
      return child.exitCode
    },
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode === null && signalCode === null
