/** Path of the WebSocket at the gateway's address (decision W1). */
export const socketPath = '/ws'

/** Query member with the API key, for browsers, which cannot set headers (decision W2). */
export const socketKeyParameter = 'api_key'

/** Close codes of the gateway; those below 4000 are of RFC 6455. */
export const closeCode = {
  goingAway: 1001,
  protocolError: 1002,
  /** A binary frame was received. */
  unsupportedData: 1003,
  /** Too many messages, despite a warning. */
  policyViolation: 1008,
  /** A frame exceeded the limit (decisions, section 9). */
  messageTooBig: 1009,
  /** The client reads too slowly; it may reconnect. */
  tryAgainLater: 1013,
  /** The API key was rotated, deleted or has expired. */
  invalidApiKey: 4001,
} as const
