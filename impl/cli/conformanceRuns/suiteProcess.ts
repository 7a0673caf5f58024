import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

const polgate = fileURLToPath(new URL('../polgate.mjs', import.meta.url))

export type SuiteProcessOptions = {
  /** What follows `polgate`. */
  readonly args: readonly string[]
  readonly cwd: string
  /** The process ends after this time, milliseconds. */
  readonly longestMs: number
  /** Runs instead of `polgate`, for tests. */
  readonly script?: string | undefined
}

/** How a process ended: by itself, or because it was stopped. */
export type SuiteEnd = {
  readonly code: number
  readonly stopped: 'cancelled' | 'timed-out' | undefined
  /** The last of what it wrote to stderr. */
  readonly complaint: string
}

export type SuiteProcess = {
  readonly ended: Promise<SuiteEnd>
  /** Ends it, by its process id. Resolves when it is gone. */
  cancel(): Promise<SuiteEnd>
}

/** Time that it has to write what it knows, milliseconds. */
const endMs = 5_000

/** The stack and the person who uses it come first. */
const lowPriority = 10

const longestComplaint = 2_000

/** Keys and targets of the shell that started the stack are those of another gateway. */
const ofAnotherTarget = /^SVC_(KEY_|TARGET$|EXPLORER_URL$|STACK_FILE$)/

const environment = () => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !ofAnotherTarget.test(name)),
  ),
  NO_COLOR: '1',
  // It ends with this process, however that ends.
  SVC_PARENT_PID: String(process.pid),
})

/** Runs a command of the suite in a process of its own, with a lower priority and a time limit. */
export function startSuiteProcess(options: SuiteProcessOptions): SuiteProcess {
  const { args, cwd, longestMs, script = polgate } = options
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  lower(child)
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-longestComplaint)
  })
  let stopped: SuiteEnd['stopped']
  let late: NodeJS.Timeout | undefined
  const stop = (why: NonNullable<SuiteEnd['stopped']>) => {
    if (stopped !== undefined || child.exitCode !== null || child.signalCode !== null) return
    stopped = why
    child.kill('SIGTERM')
    late = setTimeout(() => child.kill('SIGKILL'), endMs)
  }
  const limit = setTimeout(() => stop('timed-out'), longestMs)
  limit.unref()
  const ended = new Promise<SuiteEnd>((resolve) => {
    const end = (code: number) => {
      clearTimeout(limit)
      clearTimeout(late)
      resolve({ code, stopped, complaint: complaint.trim() })
    }
    child.once('error', (error) => {
      complaint = `polgate could not be started: ${error.message}`
      end(2)
    })
    child.once('close', (code) => end(code ?? 130))
  })
  return {
    ended,
    cancel: () => {
      stop('cancelled')
      return ended
    },
  }
}

function lower({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, lowPriority)
  } catch {
    // It has ended already, or the system refuses: it then competes with the stack.
  }
}
