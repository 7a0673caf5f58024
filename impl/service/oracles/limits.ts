/** Limits of one oracle run (decision O4). Sizes in bytes, times in milliseconds. */
export type OracleLimits = {
  /**
   * Duration of `run`, including host calls. Waiting for a processor of a busy machine does not
   * count, up to a limit (runOnThread.ts).
   */
  wallClockMs: number
  /** Total of the linear memories of all core instances of the component. */
  memoryBytes: number
  componentBytes: number
  /** Size of the output of `run`. */
  outputBytes: number
  /** Size of the input of `run`. */
  inputBytes: number
  httpCalls: number
  httpUrlBytes: number
  /** URL, headers and body together. */
  httpRequestBytes: number
  /** Number of headers of a request. */
  httpRequestHeaders: number
  /** Names and values of the headers of one response. */
  httpResponseHeaderBytes: number
  /**
   * Headers and body together; of a compressed body, both the compressed and the decompressed size.
   */
  httpResponseBytes: number
  httpCallMs: number
  /** Redirects followed within one host. */
  httpRedirects: number
}

export const defaultOracleLimits: Readonly<OracleLimits> = {
  wallClockMs: 5_000,
  memoryBytes: 128 * 1024 * 1024,
  componentBytes: 64 * 1024 * 1024,
  outputBytes: 1024 * 1024,
  inputBytes: 1024 * 1024,
  httpCalls: 50,
  httpUrlBytes: 8 * 1024,
  httpRequestBytes: 1024 * 1024,
  httpRequestHeaders: 256,
  httpResponseHeaderBytes: 16 * 1024,
  httpResponseBytes: 1024 * 1024,
  httpCallMs: 10_000,
  httpRedirects: 5,
}

/** `1 MiB`, `64 KiB`, `10 bytes`: a size in an error message. */
export function formatBytes(bytes: number): string {
  const mebibyte = 1024 * 1024
  if (bytes >= mebibyte && bytes % mebibyte === 0) return `${bytes / mebibyte} MiB`
  if (bytes >= 1024 && bytes % 1024 === 0) return `${bytes / 1024} KiB`
  return `${bytes} bytes`
}

/** `5 s`, `250 ms`: a duration in an error message. */
export function formatMs(ms: number): string {
  return ms >= 1000 && ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
