/**
 * A line of an event log without its line break: text, UTF-8, or pieces of it in order.
 */
export type LogLine = string | Uint8Array | LinePieces
export type LinePieces = readonly (string | Uint8Array)[]
