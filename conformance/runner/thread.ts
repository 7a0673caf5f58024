import { parentPort, workerData } from 'node:worker_threads'
import type { Check } from './check.ts'
import { executeCheck } from './execute.ts'
import { createSession, learn } from './session.ts'
import type { FromThread, ThreadInput, ToThread } from './threadMessages.ts'

const { catalogue, ...input } = workerData as ThreadInput
const tell = (message: FromThread) => parentPort?.postMessage(message)

const shown = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)
process.on('unhandledRejection', (error) => tell({ type: 'broken', message: shown(error) }))
process.on('uncaughtException', (error) => tell({ type: 'broken', message: shown(error) }))

const { checks } = (await import(catalogue ?? '../checks/catalogue.ts')) as {
  readonly checks: readonly Check[]
}
const byId = new Map(checks.map((check) => [check.id, check]))
const session = createSession({ ...input, onNews: (news) => tell({ type: 'news', news }) })

parentPort?.on('message', async (message: ToThread) => {
  if (message.type === 'news') return learn(session, message.news)
  const check = byId.get(message.id)
  if (check === undefined) return tell({ type: 'broken', message: `no check '${message.id}'` })
  tell({ type: 'finished', result: await executeCheck(check, session) })
})
tell({ type: 'ready' })
