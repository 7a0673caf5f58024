import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { CheckFinished, Evidence } from '../core/events.ts'

/** One exchange for a reader: request and response. */
export type Turn = { readonly asked: string; readonly answered: string }

/** Passing exchanges with the reference implementation, by check. */
export type Transcripts = Readonly<Record<string, readonly Turn[]>>

/** Characters kept of a text. */
const longest = 350
const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}...` : text)

/** The last exchange of a check is the relevant one; this many are kept. */
const kept = 1

const turnOf = (evidence: Evidence): Turn | undefined => {
  if (evidence.kind === 'exchange') {
    const { method, url, body } = evidence.request
    const { pathname, search } = new URL(url)
    return {
      asked: cut(`${method} ${pathname}${search} ${body}`.trimEnd()),
      answered: cut(`${evidence.status} ${evidence.body}`.trimEnd()),
    }
  }
  if (evidence.kind === 'frame' && evidence.from === 'gateway')
    return { asked: 'WebSocket', answered: cut(evidence.text) }
  if (evidence.kind === 'webhook')
    return { asked: `POST ${cut(evidence.body)}`, answered: `${evidence.answered ?? 'no answer'}` }
  return undefined
}

/** The exchanges to keep of a run against the reference implementation, sorted by check id. */
export const transcriptsOf = (results: readonly CheckFinished[]): Transcripts =>
  Object.fromEntries(
    results
      .filter(({ verdict, evidence }) => verdict === 'passed' && evidence.length > 0)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(({ id, evidence }) => {
        const turns = evidence.flatMap((each) => turnOf(each) ?? [])
        return turns.length === 0 ? [] : [[id, turns.slice(-kept)] as const]
      }),
  )

const path = fileURLToPath(new URL('./passing.json', import.meta.url))

/** The committed transcripts; none if they were never written. */
export const readTranscripts = (): Transcripts =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Transcripts) : {}

export const writeTranscripts = (transcripts: Transcripts): void =>
  replaceFileSync(path, `${JSON.stringify(transcripts, undefined, 1)}\n`)
