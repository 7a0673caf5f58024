import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { redactJson } from '../wire/redact.ts'
import type { RunEvent } from './events.ts'

export type EventLog = {
  readonly append: (event: RunEvent) => void
  /** All events so far, redacted, in order. */
  readonly events: readonly RunEvent[]
  readonly close: () => Promise<void>
}

/** Events to memory and, as NDJSON, to a file: line by line, so that a killed run leaves what it had. */
export const createEventLog = (
  file: string | undefined,
  redact: (text: string) => string,
): EventLog => {
  const events: RunEvent[] = []
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true })
  const stream = file === undefined ? undefined : createWriteStream(file)
  return {
    events,
    append: (event) => {
      const safe = redactJson(event, redact)
      events.push(safe)
      stream?.write(`${JSON.stringify(safe)}\n`)
    },
    close: async () => {
      if (stream === undefined) return
      stream.end()
      await once(stream, 'finish')
    },
  }
}
