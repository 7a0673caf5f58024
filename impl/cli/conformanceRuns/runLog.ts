import { type FileHandle, open } from 'node:fs/promises'
import type { CheckFinished, RunEvent, RunStarted } from 'polgate-conformance/core/events.ts'

/** A result without its evidence, which stays in the file. */
export type LoggedResult = CheckFinished & { readonly evidence: readonly []; failedCase?: never }

export type RunLog = {
  /** Reads what has been added since the last call. */
  refresh(): Promise<void>
  started(): RunStarted | undefined
  /** In the order of completion. */
  readonly results: readonly LoggedResult[]
  /** A result as the log has it; undefined if the check has none yet. */
  whole(check: string): Promise<CheckFinished | undefined>
}

/** A log of 1,100 checks has 10 MB; one that is larger is not of a run. */
const longestLog = 256 * 1024 * 1024
const chunkBytes = 1024 * 1024

type Place = { readonly from: number; readonly length: number }

/**
 * Follows the event log of a run while it is written. Memory holds no evidence, which is most of a log;
 * it is read again where somebody asks for it.
 */
export function followRunLog(file: string): RunLog {
  const results: LoggedResult[] = []
  const places = new Map<string, Place>()
  let started: RunStarted | undefined
  let read = 0
  let rest = Buffer.alloc(0)
  let reading: Promise<void> | undefined

  function take(line: Buffer, from: number): void {
    const event = JSON.parse(line.toString()) as RunEvent
    if (event.type === 'run-started') started = event
    if (event.type !== 'check-finished') return
    const { failedCase: _, ...result } = event
    results.push({ ...result, evidence: [] })
    places.set(event.id, { from, length: line.length })
  }

  async function readOn(log: FileHandle): Promise<void> {
    const chunk = Buffer.alloc(chunkBytes)
    while (read < longestLog) {
      const { bytesRead } = await log.read(chunk, 0, chunkBytes, read)
      if (bytesRead === 0) return
      read += bytesRead
      rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
      let from = 0
      for (let to = rest.indexOf('\n'); to !== -1; to = rest.indexOf('\n', from)) {
        take(rest.subarray(from, to), read - rest.length + from)
        from = to + 1
      }
      // A line that is still being written stays for the next time.
      rest = Buffer.from(rest.subarray(from))
    }
  }

  async function opened<T>(work: (log: FileHandle) => Promise<T>): Promise<T | undefined> {
    let log: FileHandle
    try {
      log = await open(file)
    } catch {
      // The run has not written anything yet.
      return undefined
    }
    try {
      return await work(log)
    } finally {
      await log.close()
    }
  }

  return {
    results,
    started: () => started,
    refresh() {
      reading ??= opened(readOn).finally(() => {
        reading = undefined
      })
      return reading
    },
    async whole(check) {
      const place = places.get(check)
      if (place === undefined) return undefined
      return await opened(async (log) => {
        const line = Buffer.alloc(place.length)
        await log.read(line, 0, place.length, place.from)
        return JSON.parse(line.toString()) as CheckFinished
      })
    },
  }
}
