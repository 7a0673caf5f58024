/** Limits of the WebSocket listener of one gateway; times in milliseconds. */
export type UpdateLimits = {
  /** Open sockets and handshakes in progress, in total and per key. */
  readonly connections: number
  readonly connectionsPerKey: number
  /** Subscriptions of one connection to tasks in flight (decisions, section 9). */
  readonly subscriptions: number
  readonly frameBytes: number
  /** Bytes that may be buffered for one client. */
  readonly bufferedBytes: number
  /** The same for all clients of a key together. */
  readonly bufferedBytesPerKey: number
  /** The same for all clients. */
  readonly bufferedBytesInTotal: number
  /** Messages of one connection: burst, and average per second. */
  readonly messageBurst: number
  readonly messagesPerSecond: number
  /** Ping interval; a peer that has not answered by the next ping is disconnected. */
  readonly heartbeatMs: number
  /** Interval of key checks, which end the connections of invalid keys. */
  readonly keyCheckMs: number
  /**
   * Interval of queries for ends that were not published; longer while the peer channel is
   * connected.
   */
  readonly pollMs: number
  /**
   * How long messages may follow a success, whose posting on chain can still fail (decision T10).
   */
  readonly lingerMs: number
  /** How long clients have to answer a close frame. */
  readonly closeMs: number
}

export const defaultUpdateLimits: UpdateLimits = {
  connections: 4_096,
  connectionsPerKey: 512,
  subscriptions: 64,
  frameBytes: 256 * 1024,
  bufferedBytes: 4 * 1024 * 1024,
  bufferedBytesPerKey: 32 * 1024 * 1024,
  bufferedBytesInTotal: 256 * 1024 * 1024,
  messageBurst: 256,
  messagesPerSecond: 50,
  heartbeatMs: 30_000,
  keyCheckMs: 5_000,
  pollMs: 1_000,
  lingerMs: 60_000,
  closeMs: 1_000,
}
