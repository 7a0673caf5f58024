/** Where the WebSocket is, under the gateway's own address (decision W1). */
export const socketPath = '/ws'

/** The member of the query that carries the key of a browser, which can set no header (decision W2). */
export const socketKeyParameter = 'api_key'

/** Why the gateway closes a connection; those below 4000 are of RFC 6455. */
export const closeCode = {
  goingAway: 1001,
  protocolError: 1002,
  /** A binary frame. */
  unsupportedData: 1003,
  /** Messages without end, although told that they are too many. */
  policyViolation: 1008,
  /** A frame over the limit (decisions, section 9). */
  messageTooBig: 1009,
  /** The client reads more slowly than its tasks move; it may come again. */
  tryAgainLater: 1013,
  /** The key was rotated or deleted, or has expired. */
  invalidApiKey: 4001,
} as const
