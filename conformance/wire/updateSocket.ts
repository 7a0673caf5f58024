import { WebSocket } from 'ws'
import { ConformanceError, NotInTime } from '../core/conformanceError.ts'
import { isObject, type JsonObject, show } from '../core/expect.ts'
import { whyUnanswered } from '../core/unanswered.ts'

/** One frame from the gateway; `json` is undefined if it is not JSON. */
export type Frame = { readonly text: string; readonly json: unknown; readonly at: number }

export type Closing = { readonly code: number; readonly reason: string }

export type UpdateSocket = {
  /** In order of arrival. */
  readonly frames: readonly Frame[]
  /** A value is sent as JSON; strings and bytes are sent unchanged. */
  readonly send: (message: unknown) => void
  readonly sendRaw: (data: string | Uint8Array) => void
  /**
   * The first frame that the predicate accepts, among those received from index `from` on and later
   * ones. Throws a finding named `what` on timeout, or if the connection ended.
   */
  readonly expect: (
    what: string,
    takes: (message: JsonObject) => boolean,
    options?: { readonly from?: number; readonly ms?: number },
  ) => Promise<JsonObject>
  /** Waits for the end of the connection; undefined on timeout. */
  readonly closed: (ms: number) => Promise<Closing | undefined>
  readonly close: () => Promise<void>
}

/** Result of opening a WebSocket: a connection, or the status of a refusal. */
export type Opening =
  | { readonly kind: 'open'; readonly socket: UpdateSocket }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: string }

export type OpenOptions = {
  /** `{key}` in it stands for the key of the `authorization` header. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Called for every received frame. */
  readonly heard?: (text: string) => void
  /** Called for every sent message. */
  readonly said?: (text: string) => void
  /** Extends the default timeout for a frame on a slow target; unchanged by default. */
  readonly patienceMs?: (usualMs: number) => number
}

const unchanged = (usualMs: number) => usualMs

const openWithinMs = 10_000
/** Default timeout for a frame: long, because machines may be busy. */
const frameWithinMs = 30_000
/** A gateway that sends a longer frame fails the check. */
const longestFrame = 16 * 1024 * 1024
/** Limits of all frames of a connection; above the needs of any check. */
const longestOfAll = 4 * longestFrame
const mostFrames = 50_000

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How a gateway takes the key is open: some read it from the query. */
function addressFor(url: string, { authorization = '' }: Readonly<Record<string, string>>): string {
  const key = /^bearer (.+)$/i.exec(authorization)?.[1] ?? ''
  return url.replaceAll('{key}', () => encodeURIComponent(key))
}

/** Opens a WebSocket to a gateway; a refusal is a result, not an error. */
export const openUpdateSocket = ({
  url,
  headers = {},
  heard,
  said,
  patienceMs = unchanged,
}: OpenOptions): Promise<Opening> =>
  new Promise((resolve) => {
    const socket = new WebSocket(addressFor(url, headers), {
      headers: { ...headers },
      handshakeTimeout: openWithinMs,
      maxPayload: longestFrame,
      followRedirects: false,
    })
    const frames: Frame[] = []
    const watchers = new Set<() => void>()
    let closing: Closing | undefined
    let flooded = false
    const tell = () => {
      for (const watcher of [...watchers]) watcher()
    }

    let characters = 0
    socket.on('message', (data) => {
      const text = data.toString()
      characters += text.length
      if (characters > longestOfAll || frames.length >= mostFrames) {
        flooded = true
        socket.terminate()
        return
      }
      heard?.(text)
      frames.push({ text, json: parse(text), at: performance.now() })
      tell()
    })
    socket.on('close', (code, reason) => {
      const flood = `the suite closed the connection: more than ${mostFrames} frames or ${longestOfAll} characters`
      closing = { code, reason: flooded ? flood : reason.toString() }
      tell()
    })
    socket.once('unexpected-response', (request, response) => {
      response.resume()
      resolve({ kind: 'refused', status: response.statusCode ?? 0 })
      request.destroy()
    })
    // After the opening an error is followed by a close event, which is reported.
    socket.on('error', (error) => resolve({ kind: 'failed', reason: whyUnanswered(error).text }))
    socket.once('open', () => resolve({ kind: 'open', socket: opened }))

    /** Calls `look` now and on every event, until it returns a value or the timeout passes. */
    const until = <T>(ms: number, look: () => T | undefined): Promise<T | undefined> =>
      new Promise((done) => {
        const end = (value: T | undefined) => {
          clearTimeout(timer)
          watchers.delete(watcher)
          done(value)
        }
        const watcher = () => {
          const value = look()
          if (value !== undefined) end(value)
        }
        const timer = setTimeout(() => end(undefined), ms)
        watchers.add(watcher)
        watcher()
      })

    const seen = () => {
      const last = frames.slice(-3).map(({ text }) => show(text))
      const end = closing === undefined ? '' : `, closed with ${closing.code} ${closing.reason}`
      return `${frames.length} frames${last.length === 0 ? '' : `, the last ${last.join(' | ')}`}${end}`
    }

    const sendRaw = (data: string | Uint8Array) => {
      said?.(typeof data === 'string' ? data : Buffer.from(data).toString())
      socket.send(data)
    }

    const opened: UpdateSocket = {
      frames,
      send: (message) => sendRaw(JSON.stringify(message)),
      sendRaw,
      expect: async (what, takes, { from = 0, ms = patienceMs(frameWithinMs) } = {}) => {
        let next = from
        const found = await until(ms, () => {
          for (; next < frames.length; next++) {
            const { json } = frames[next]!
            if (isObject(json) && takes(json)) return json
          }
          return closing === undefined ? undefined : 'closed'
        })
        if (found !== undefined && found !== 'closed') return found
        const Missed = found === 'closed' ? ConformanceError : NotInTime
        throw new Missed(`${what} did not arrive`, {
          expected: `${what} on the WebSocket`,
          observed: seen(),
        })
      },
      closed: (ms) => until(ms, () => closing),
      close: async () => {
        socket.close()
        if ((await until(2_000, () => closing)) === undefined) socket.terminate()
      },
    }
  })
