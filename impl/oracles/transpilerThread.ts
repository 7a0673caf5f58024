import { Worker } from 'node:worker_threads'
import { formatMs } from './limits.ts'
import { OracleError } from './oracleError.ts'

/** What the transpiler makes of a component: its interface as WIT text, and files by name. */
export interface Transpiled {
  wit: string
  files: Record<string, Uint8Array>
}

/** Why what it made may not be run. */
type Refusal = { refused: string }

/** A component of the largest size takes some seconds; what takes longer is made to. */
const defaultTranspileMs = 30_000
/** The same component takes 300 MiB; one made to fill memory would take gigabytes. */
const defaultMemoryMiB = 512
const pagesOfMiB = 16
const heapMiB = 512
const idleMs = 2_000

export interface TranspilerBounds {
  /** The longest that one component may take. */
  transpileMs?: number
  /** The most that the transpiler may hold, for each of its two steps. */
  memoryMiB?: number
}

export interface TranspilerThread {
  /** @throws OracleError `component` for bytes that are no component, or take too long to read */
  transpile(component: Uint8Array): Promise<Transpiled>
  close(): Promise<void>
}

/**
 * One thread that transpiles one component after the other. Its start costs more than a small
 * component does, so it stays for a moment; one that failed is not used again, because the tool
 * keeps state that the failure may have spoilt. What it could make and is refused is no failure.
 */
export function createTranspilerThread(bounds: TranspilerBounds = {}): TranspilerThread {
  const { transpileMs = defaultTranspileMs, memoryMiB = defaultMemoryMiB } = bounds
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  return {
    transpile(component) {
      const next = last.then(() => inTurn(component))
      last = next.catch(() => undefined)
      return next
    },
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
    asked.ref()
    try {
      const answer = await ask(asked, component, transpileMs)
      asked.unref()
      idle = setTimeout(end, idleMs).unref()
      return answer
    } catch (error) {
      const died = worker !== asked
      await end()
      // The thread may have died of what it read before: this one is tried in a new thread.
      if (died && used && !closed) return answerOf(component)
      throw error
    }
  }

  function start(): Worker {
    const started = startWorker(memoryMiB)
    const lost = () => {
      if (worker === started) worker = undefined
    }
    // Also while nobody asks: an error that nobody hears would end the process.
    started.on('error', lost).on('exit', lost)
    worker = started
    return started
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
}

function startWorker(memoryMiB: number): Worker {
  return new Worker(new URL('./transpile.worker.mjs', import.meta.url), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData: { memoryPages: memoryMiB * pagesOfMiB },
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
  })
}

async function ask(
  worker: Worker,
  component: Uint8Array,
  transpileMs: number,
): Promise<Transpiled | Refusal> {
  const heard = new AbortController()
  try {
    return await new Promise((resolve, reject) => {
      const refuse = (details: string) => reject(new OracleError('component', details))
      const late = `the component could not be read within ${formatMs(transpileMs)}`
      const timer = setTimeout(() => refuse(late), transpileMs)
      const onMessage = (answer: Transpiled | Refusal | { error: string }) =>
        'error' in answer ? reject(invalid(answer.error)) : resolve(answer)
      const onError = (error: Error) => reject(invalid(error.message))
      const onExit = () => refuse('the component could not be read')
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      heard.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      })
      worker.postMessage(component)
    })
  } finally {
    heard.abort()
  }
}

const invalid = (text: string) =>
  new OracleError('component', `the component is not valid: ${reasonIn(text)}`)

/** What failed, and its cause, which says where. */
function reasonIn(text: string): string {
  const lines = text
    .split('\n')
    // The number of a cause, and the beginning of a list of bytes.
    .map((line) => line.trim().replace(/^\d+: | - expected=\[$/g, ''))
    .filter((line) => line !== '' && line !== 'Caused by:')
  return lines
    .slice(0, 2)
    .join(': ')
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, 300)
}
