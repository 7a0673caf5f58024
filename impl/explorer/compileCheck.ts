import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { startWorkTimer } from '../threads/workTimer.ts'
import type { CompileAnswer, CompileJob, CompilerReady } from './compileCheckThread.ts'

/** Compiles policies that strangers wrote, in a thread of its own. */
export type CompileCheck = {
  /**
   * Whether a source compiles under the profile of the service and has its entrypoint (decisions R9
   * and R11). One that takes too much computing or memory does not.
   *
   * @throws when it cannot be told this time: the thread did not start or got no CPU time, or this is
   *   closed
   */
  compiles(job: CompileJob): Promise<boolean>
  close(): Promise<void>
}

/** A thread that has nothing to do for so long is ended: its memory is worth more. */
const idleMs = 5_000
const maxRemembered = 1_000
/** A thread that gets no CPU time is given up after so many times what it may take. */
const lastResort = 30
const leastWallMs = 60_000

export function createCompileCheck(options: {
  readonly namespace: string
  /** CPU time of one policy, milliseconds. */
  readonly workMs: number
}): CompileCheck {
  let thread: Promise<Thread> | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false
  /** Many policies are one source. */
  const known = new Map<string, boolean>()

  async function run(job: CompileJob): Promise<boolean> {
    const key = createHash('sha256').update(`${job.entrypoint}\0${job.source}`).digest('base64')
    const before = known.get(key)
    if (before !== undefined) return before
    if (closed) throw new Error('the check is closed')
    clearTimeout(idle)
    const compiles = await (await (thread ?? start())).ask(job, options.workMs)
    if (known.size >= maxRemembered) known.clear()
    known.set(key, compiles)
    idle = setTimeout(() => void end(), idleMs)
    idle.unref()
    return compiles
  }

  function start(): Promise<Thread> {
    const started = startThread(options.namespace, () => {
      if (thread === started) thread = undefined
    })
    thread = started
    return started
  }

  async function end(): Promise<void> {
    const running = await thread?.catch(() => undefined)
    thread = undefined
    await running?.end()
  }

  return {
    compiles(job) {
      const work = last.then(() => run(job))
      last = work.catch(() => {})
      return work
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await end()
    },
  }
}

type Thread = {
  /** One job at a time. @throws when the thread failed by itself */
  ask(job: CompileJob, workMs: number): Promise<boolean>
  end(): Promise<unknown>
}

/** @param onEnd told, however it ends, that it is not to be asked again; also more than once */
function startThread(namespace: string, onEnd: () => void): Promise<Thread> {
  let timeFile: string | undefined
  let settle: { resolve: (compiles: boolean) => void; reject: (error: Error) => void } | undefined
  const worker = new Worker(new URL('./compileCheck.worker.mjs', import.meta.url), {
    workerData: { namespace },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const thread: Thread = {
    ask: (job, workMs) =>
      new Promise((resolve, reject) => {
        const end = () => {
          onEnd()
          void worker.terminate()
        }
        const stopTimer = startWorkTimer({
          timeFile,
          workMs,
          wallMs: Math.max(workMs * lastResort, leastWallMs),
          onSpent: () => {
            settle?.resolve(false)
            end()
          },
          onLate: () => {
            settle?.reject(new Error('the policy could not be compiled in time'))
            end()
          },
        })
        const ended = <T>(answer: (value: T) => void) => {
          return (value: T) => {
            settle = undefined
            stopTimer()
            worker.unref()
            answer(value)
          }
        }
        settle = { resolve: ended(resolve), reject: ended(reject) }
        worker.ref()
        worker.postMessage(job)
      }),
    end: () => worker.terminate(),
  }
  return new Promise((resolve, reject) => {
    worker.on('message', (message: CompilerReady | CompileAnswer) => {
      if ('timeFile' in message) {
        timeFile = message.timeFile
        resolve(thread)
      } else if ('compiles' in message) settle?.resolve(message.compiles)
      else settle?.reject(new Error(`the compiler failed: ${message.broken}`))
    })
    worker.on('error', (error: Error & { readonly code?: string }) => {
      onEnd()
      reject(error)
      // Its own doing: no other try would end otherwise.
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') settle?.resolve(false)
      settle?.reject(error)
    })
    worker.on('exit', () => {
      onEnd()
      const error = new Error('the thread that compiles policies ended')
      reject(error)
      settle?.reject(error)
    })
  })
}
