/** Why a WebSocket ended. */
export type SocketEnd = {
  /** Close code; 1006 if there was no close frame. */
  readonly code: number
  /** HTTP status of a refused handshake, where the platform tells it. */
  readonly status?: number | undefined
  readonly retryAfter?: string | undefined
  readonly cause?: unknown
}

export type SocketEvents = {
  open(): void
  /** Text frames only. */
  message(text: string): void
  /** Exactly once; nothing follows. */
  end(end: SocketEnd): void
}

export type Socket = {
  send(text: string): void
  /** Ends the connection at once; no more events. */
  close(): void
}

export type SocketTarget = {
  /** Without a query. */
  readonly url: string
  readonly key: string
  readonly maxMessageBytes: number
}

export type OpenSocket = (target: SocketTarget, events: SocketEvents) => Socket
