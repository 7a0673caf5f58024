import { Worker } from 'node:worker_threads'
import type { Check } from './check.ts'
import type { CheckFinished } from './events.ts'
import type { SecretNews } from './session.ts'
import type { FromThread, ThreadInput, ToThread } from './threadMessages.ts'

/** A thread with a session of its own. */
export type CheckThread = {
  /** Resolves with the result; with undefined where the thread ended before the check did. */
  readonly ask: (check: Check) => Promise<CheckFinished | undefined>
  readonly learn: (news: SecretNews) => void
  readonly end: () => Promise<void>
}

export type CheckThreadOptions = {
  readonly input: ThreadInput
  readonly onNews: (news: SecretNews) => void
  /** Told of an error outside any check; `ended` where the thread is gone with it. */
  readonly onBroken: (message: string, ended: boolean) => void
}

/** Starts a thread that asks checks; they may be asked before it has loaded. */
export const startCheckThread = (options: CheckThreadOptions): CheckThread => {
  const worker = new Worker(new URL('./thread.worker.mjs', import.meta.url), {
    workerData: options.input,
    // What a check prints is no result.
    stdout: true,
    stderr: true,
  })
  worker.stdout.resume()
  worker.stderr.resume()
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
  worker.on('error', (error) => ended(error instanceof Error ? error.message : String(error)))
  worker.on('exit', (code) => ended(`a thread of the suite ended with code ${code}`))
  const send = (message: ToThread) => worker.postMessage(message)
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
