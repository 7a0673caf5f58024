import { Worker } from 'node:worker_threads'
import type { Check } from '../core/check.ts'
import type { CheckFinished } from '../core/events.ts'
import type { SecretNews } from './session.ts'
import type { FromThread, ThreadInput, ToThread } from './threadMessages.ts'

/** A thread with a session of its own. */
export type CheckThread = {
  /** Resolves with the result; with undefined where the thread ended before the check did. */
  readonly ask: (check: Check) => Promise<CheckFinished | undefined>
  readonly learn: (news: SecretNews) => void
  readonly end: () => Promise<void>
}

/** A thread that loads its checks, or has. */
export type LoadingThread = {
  readonly worker: Worker
  /** Why it is gone; undefined while it lives. */
  readonly gone: () => string | undefined
}

export type CheckThreadOptions = {
  readonly input: ThreadInput
  /** The module that the thread runs: it calls `runThread` with its checks. */
  readonly worker: URL
  /** One that has been told nothing yet; a new one by default. */
  readonly loading?: LoadingThread | undefined
  readonly onNews: (news: SecretNews) => void
  /** Told of an error outside any check; `ended` where the thread is gone with it. */
  readonly onBroken: (message: string, ended: boolean) => void
}

/** Begins a thread before it is known what it asks: loading the checks takes seconds. */
export const loadCheckThread = (module: URL): LoadingThread => {
  const worker = new Worker(module, {
    // What a check prints is no result.
    stdout: true,
    stderr: true,
  })
  worker.stdout.resume()
  worker.stderr.resume()
  let gone: string | undefined
  let broken: string | undefined
  // Until somebody listens: why it could not load is said before it ends.
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

/** Starts a thread that asks checks; they may be asked before it has loaded. */
export const startCheckThread = (options: CheckThreadOptions): CheckThread => {
  const { input } = options
  const { worker, gone: lost } = options.loading ?? loadCheckThread(options.worker)
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
