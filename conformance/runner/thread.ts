import { parentPort } from 'node:worker_threads'
import type { Check } from '../core/check.ts'
import type { ExpectationOf } from '../core/expectation.ts'
import { executeCheck } from './execute.ts'
import { createSession, learn, type SecretUpdate, type Session } from './session.ts'
import type { FromThread, ToThread } from './threadMessages.ts'

const tell = (message: FromThread) => parentPort?.postMessage(message)

const shown = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

export type RunThreadOptions = {
  readonly checks: readonly Check[]
  readonly expectationOf?: ExpectationOf
}

/** Runs the checks that the parent thread names, with a session that it describes. */
export function runThread({ checks, expectationOf }: RunThreadOptions): void {
  process.on('unhandledRejection', (error) => tell({ type: 'broken', message: shown(error) }))
  process.on('uncaughtException', (error) => tell({ type: 'broken', message: shown(error) }))
  const byId = new Map(checks.map((check) => [check.id, check]))
  let session: Session | undefined

  parentPort?.on('message', async (message: ToThread) => {
    if (message.type === 'begin') {
      const onNews = (news: SecretUpdate) => tell({ type: 'news', news })
      session = createSession({ ...message.input, expectationOf, onNews })
      return
    }
    if (session === undefined)
      return tell({ type: 'broken', message: 'received a check before its session' })
    if (message.type === 'news') return learn(session, message.news)
    const check = byId.get(message.id)
    if (check === undefined)
      return tell({ type: 'broken', message: `unknown check '${message.id}'` })
    tell({ type: 'finished', result: await executeCheck(check, session) })
  })
  tell({ type: 'ready' })
}
