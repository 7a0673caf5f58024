import { Worker } from 'node:worker_threads'
import type { CheckInfo } from '../core/check.ts'
import type { CheckFinished } from '../core/events.ts'
import type { SecretUpdate } from './session.ts'
import type { FromThread, ThreadInput, ToThread } from './threadMessages.ts'

/** A thread with a separate session. */
export type CheckThread = {
  /** Resolves with the result, or with undefined if the thread ended before the check did. */
  readonly ask: (check: Pick<CheckInfo, 'id'>) => Promise<CheckFinished | undefined>
  readonly learn: (news: SecretUpdate) => void
  readonly end: () => Promise<void>
}

/** A thread that is loading or has loaded its checks. */
export type LoadingThread = {
  readonly worker: Worker
  /** Why it ended; undefined while it runs. */
  readonly gone: () => string | undefined
}

export type CheckThreadOptions = {
  readonly input: ThreadInput
  /** The module that the thread runs: it calls `runThread` with its checks. */
  readonly worker: URL
  /** For that module, as its `workerData`. */
  readonly data?: unknown
  /** A thread that has not received a session; a new one by default. */
  readonly loading?: LoadingThread | undefined
  readonly onNews: (news: SecretUpdate) => void
  /** Called for an error outside any check; `ended` if it ended the thread. */
  readonly onBroken: (message: string, ended: boolean) => void
}

/** Starts a thread before its checks are known: loading the catalogue takes seconds. */
export function loadCheckThread(module: URL, data?: unknown): LoadingThread {
  const worker = new Worker(module, {
    workerData: data,
    // Output of a check is not a result.
    stdout: true,
    stderr: true,
  })
  worker.stdout.resume()
  worker.stderr.resume()
  let gone: string | undefined
  let broken: string | undefined
  // Until a listener is attached: the reason for a failed load is sent before the thread ends.
  worker.on('message', (message: FromThread) => {
    if (message.type === 'broken') broken ??= message.message
  })
  worker.on('error', (error) => {
    gone ??= error instanceof Error ? error.message : String(error)
  })
  worker.on('exit', (code) => {
    gone ??= broken ?? `a thread of the suite ended with code ${code}`
  })
  return { worker, gone: () => gone }
}

/** Starts a thread that runs checks; they may be queued before it has loaded. */
export function startCheckThread(options: CheckThreadOptions): CheckThread {
  const { input } = options
  const { worker, gone: lost } = options.loading ?? loadCheckThread(options.worker, options.data)
  worker.removeAllListeners('message')
  const asked = new Map<string, (result: CheckFinished | undefined) => void>()
  let gone = false
  let ending = false
  const ended = (why: string) => {
    if (gone) return
    gone = true
    if (!ending) options.onBroken(why, true)
    for (const resolve of asked.values()) resolve(undefined)
    asked.clear()
  }
  worker.on('message', (message: FromThread) => {
    if (message.type === 'news') options.onNews(message.news)
    if (message.type === 'broken') options.onBroken(message.message, false)
    if (message.type !== 'finished') return
    asked.get(message.result.id)?.(message.result)
    asked.delete(message.result.id)
  })
  const leave = () => ended(lost() ?? 'a thread of the suite ended')
  worker.on('error', leave)
  worker.on('exit', leave)
  if (lost() !== undefined) leave()
  const send = (message: ToThread) => worker.postMessage(message)
  send({ type: 'begin', input })
  return {
    ask: (check) =>
      new Promise((resolve) => {
        if (gone) return resolve(undefined)
        asked.set(check.id, resolve)
        send({ type: 'ask', id: check.id })
      }),
    learn: (news) => send({ type: 'news', news }),
    end: async () => {
      ending = true
      await worker.terminate()
    },
  }
}
