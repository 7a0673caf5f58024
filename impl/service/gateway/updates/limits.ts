/** How much one gateway carries for those who listen; times in milliseconds. */
export type UpdateLimits = {
  /** Open sockets and handshakes under way, in all and of one key. */
  readonly connections: number
  readonly connectionsPerKey: number
  /** Subscriptions of one connection to tasks that have not ended (decisions, section 9). */
  readonly subscriptions: number
  readonly frameBytes: number
  /** What may wait in memory for one client to read it. */
  readonly bufferedBytes: number
  /** Messages of one connection: so many at once, and so many a second in the long run. */
  readonly messageBurst: number
  readonly messagesPerSecond: number
  /** Pings; a peer that has not answered by the next one is gone. */
  readonly heartbeatMs: number
  /** After this time at the latest a key that is no longer good ends its connections. */
  readonly keyCheckMs: number
  /** How often the store is asked for ends that nobody told; less often while the others are heard. */
  readonly pollMs: number
  /** How long news may follow a success: its posting on chain can still fail (decision T10). */
  readonly lingerMs: number
  /** How long clients have to answer a close. */
  readonly closeMs: number
}

export const defaultUpdateLimits: UpdateLimits = {
  connections: 4_096,
  connectionsPerKey: 512,
  subscriptions: 64,
  frameBytes: 256 * 1024,
  bufferedBytes: 4 * 1024 * 1024,
  messageBurst: 256,
  messagesPerSecond: 50,
  heartbeatMs: 30_000,
  keyCheckMs: 5_000,
  pollMs: 1_000,
  lingerMs: 60_000,
  closeMs: 1_000,
}
