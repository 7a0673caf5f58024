import { Worker } from 'node:worker_threads'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { startWorkTimer } from '../scheduling/workTimer.ts'
import { formatMs } from './limits.ts'
import { OracleError } from './oracleError.ts'

/** Output of the transpiler for a component: its interface as WIT text, and files by name. */
export type Transpiled = {
  wit: string
  files: Record<string, Uint8Array>
}

/** Why the output must not be run. */
type Refusal = { refused: string }

/**
 * A component of the largest size takes some seconds of CPU time; what exceeds this is malicious.
 */
const defaultWorkMs = 30_000
/** Wall-clock limit, for a machine that gives the thread hardly any CPU time. */
const defaultWallMs = 900_000
/** The same component takes 300 MiB; a malicious one would take gigabytes. */
const defaultMemoryMiB = 512
const pagesOfMiB = 16
const heapMiB = 512
const idleMs = 2_000

export type TranspilerBounds = {
  /** CPU time limit for one component, milliseconds. */
  workMs?: number
  /** Wall-clock limit, including the start of a thread, milliseconds. */
  wallMs?: number
  /** Memory limit of the transpiler, for each of its two steps. */
  memoryMiB?: number
}

export type TranspilerThread = {
  /**
   * @throws OracleError `component` for bytes that are not a component, `work` for those that take
   *   too much CPU time, `late` when it failed this time
   */
  transpile(component: Uint8Array): Promise<Transpiled>
  close(): Promise<void>
}

/**
 * A thread that transpiles one component after another. Its start costs more than a small
 * component, so it stays alive for a moment. After a failure it is not reused, because the tool
 * keeps state that the failure may have corrupted. A rejection of the output is not such a failure.
 */
export function createTranspilerThread(bounds: TranspilerBounds = {}): TranspilerThread {
  const { memoryMiB = defaultMemoryMiB } = bounds
  let worker: TranspilerWorker | undefined
  let idle: NodeJS.Timeout | undefined
  const queue = createSerialQueue()
  let closed = false

  return {
    transpile: (component) => queue.run(() => inTurn(component)),
    async close() {
      closed = true
      await end()
    },
  }

  async function inTurn(component: Uint8Array): Promise<Transpiled> {
    const answer = await answerOf(component)
    if ('refused' in answer) throw invalid(answer.refused)
    return answer
  }

  async function answerOf(component: Uint8Array): Promise<Transpiled | Refusal> {
    if (closed) throw new OracleError('aborted', 'the oracle host is closed')
    clearTimeout(idle)
    const used = worker !== undefined
    const asked = worker ?? start()
    asked.thread.ref()
    try {
      const answer = await ask(asked, component, bounds)
      asked.thread.unref()
      idle = setTimeout(end, idleMs).unref()
      return answer
    } catch (error) {
      const died = worker !== asked
      await end()
      if (closed) throw new OracleError('aborted', 'the oracle host is closed')
      // The thread may have died from an earlier component: retry in a new thread.
      if (died && used) return answerOf(component)
      throw error
    }
  }

  function start(): TranspilerWorker {
    const started = startWorker(memoryMiB)
    const lost = () => {
      if (worker === started) worker = undefined
    }
    // Also while idle: an unhandled error would end the process.
    started.thread.on('error', lost).on('exit', lost)
    worker = started
    return started
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = worker
    worker = undefined
    await ended?.thread.terminate()
  }
}

type TranspilerWorker = {
  thread: Worker
  /** The file with its CPU time, once it has started. */
  started: Promise<string | undefined>
}

function startWorker(memoryMiB: number): TranspilerWorker {
  const thread = new Worker(new URL('./transpile.worker.mjs', import.meta.url), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData: { memoryPages: memoryMiB * pagesOfMiB },
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
  })
  const started = new Promise<string | undefined>((resolve) => {
    thread.once('message', ({ timeFile }: { timeFile: string }) => resolve(timeFile || undefined))
  })
  return { thread, started }
}

async function ask(
  { thread, started }: TranspilerWorker,
  component: Uint8Array,
  { workMs = defaultWorkMs, wallMs = defaultWallMs }: TranspilerBounds,
): Promise<Transpiled | Refusal> {
  const heard = new AbortController()
  try {
    return await new Promise((resolve, reject) => {
      const late = () => reject(new OracleError('late', notNow))
      const spent = () => {
        const details = `transpiling the component takes more than ${formatMs(workMs)} of CPU time`
        reject(new OracleError('work', details))
      }
      const onMessage = (answer: Transpiled | Refusal | { error: string }) =>
        'error' in answer ? reject(invalid(answer.error)) : resolve(answer)
      const onError = (error: Error & { code?: string }) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? reject(invalid(error.message)) : late()
      thread.on('error', onError).on('exit', late)
      let stop = startWorkTimer({
        timeFile: undefined,
        workMs: wallMs,
        wallMs,
        onCpuLimit: late,
        onWallClockLimit: late,
      })
      heard.signal.addEventListener('abort', () => {
        stop()
        thread.off('message', onMessage).off('error', onError).off('exit', late)
      })
      void started.then((timeFile) => {
        if (heard.signal.aborted) return
        stop()
        stop = startWorkTimer({
          timeFile,
          workMs,
          wallMs,
          onCpuLimit: spent,
          onWallClockLimit: late,
        })
        thread.on('message', onMessage)
        thread.postMessage(component)
      })
    })
  } finally {
    heard.abort()
  }
}

const notNow = 'the component could not be prepared: try again'

const invalid = (text: string) =>
  new OracleError('component', `the component is not valid: ${reasonIn(text)}`)

/** The failure and its cause, which has the location. */
function reasonIn(text: string): string {
  const lines = text
    .split('\n')
    // Removes the number of a cause, and the beginning of a list of bytes.
    .map((line) => line.trim().replace(/^\d+: | - expected=\[$/g, ''))
    .filter((line) => line !== '' && line !== 'Caused by:')
  return lines
    .slice(0, 2)
    .join(': ')
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, 300)
}
