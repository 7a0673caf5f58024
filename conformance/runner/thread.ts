import { parentPort, workerData } from 'node:worker_threads'
import type { Check } from './check.ts'
import { executeCheck } from './execute.ts'
import { createSession, learn, type Session } from './session.ts'
import type { FromThread, ThreadLoad, ToThread } from './threadMessages.ts'

const { catalogue } = workerData as ThreadLoad
const tell = (message: FromThread) => parentPort?.postMessage(message)

const shown = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)
process.on('unhandledRejection', (error) => tell({ type: 'broken', message: shown(error) }))
process.on('uncaughtException', (error) => tell({ type: 'broken', message: shown(error) }))

const { checks }: { readonly checks: readonly Check[] } =
  catalogue === undefined ? await import('../checks/catalogue.ts') : await import(catalogue)
const byId = new Map(checks.map((check) => [check.id, check]))
let session: Session | undefined

parentPort?.on('message', async (message: ToThread) => {
  if (message.type === 'begin') {
    session = createSession({ ...message.input, onNews: (news) => tell({ type: 'news', news }) })
    return
  }
  if (session === undefined)
    return tell({ type: 'broken', message: 'received a check before its session' })
  if (message.type === 'news') return learn(session, message.news)
  const check = byId.get(message.id)
  if (check === undefined) return tell({ type: 'broken', message: `unknown check '${message.id}'` })
  tell({ type: 'finished', result: await executeCheck(check, session) })
})
tell({ type: 'ready' })
