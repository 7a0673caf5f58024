import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RunEvent } from '../core/events.ts'
import { redactJson } from '../wire/redact.ts'

export type EventLog = {
  readonly append: (event: RunEvent) => void
  /** All events so far, redacted, in order. */
  readonly events: readonly RunEvent[]
  /** The same, as written to the file. */
  readonly lines: readonly string[]
  readonly close: () => Promise<void>
}

/**
 * Writes events to memory and, as NDJSON, to a file line by line, so that a killed run keeps its
 * results.
 */
export function createEventLog(
  file: string | undefined,
  redact: (text: string) => string,
): EventLog {
  const events: RunEvent[] = []
  const lines: string[] = []
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true })
  const stream = file === undefined ? undefined : createWriteStream(file, { flush: true })
  return {
    events,
    lines,
    append: (event) => {
      const safe = redactJson(event, redact)
      const line = JSON.stringify(safe)
      events.push(safe)
      lines.push(line)
      stream?.write(`${line}\n`)
    },
    close: async () => {
      if (stream === undefined) return
      stream.end()
      // Synced to disk by then.
      await once(stream, 'close')
    },
  }
}
