import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'

/**
 * What went wrong with content.
 *
 * - `id`: the text is no content id, or one of a kind that is not supported
 * - `kind`: the id names something that is no file: a directory, a link, other data
 * - `size`: the file is larger, or made of more blocks, than is allowed
 * - `unavailable`: nobody has it, or nobody who has it could be reached
 * - `storage`: the local store cannot be read or written
 */
export type ContentErrorCode = 'id' | 'kind' | 'size' | 'unavailable' | 'storage'

const hints: Readonly<Record<ContentErrorCode, string>> = {
  id: 'A content id begins with Qm or b; `svc content add FILE` prints that of a file.',
  kind: 'Name the file itself: a directory, a link or other data cannot be used.',
  size: 'Add a smaller file, or raise content.maxBytes of the configuration.',
  unavailable: 'Add the file with `svc content add`, or configure a gateway that has it.',
  storage: 'See that the directory exists, may be written to and is not full.',
}

/** `64 MiB`, `10 bytes`, `1.4 MiB`: how texts name a size. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [divisor, unit] = bytes < 1024 ** 2 ? [1024, 'KiB'] : [1024 ** 2, 'MiB']
  return `${Math.round((bytes / divisor) * 10) / 10} ${unit}`
}

/** Content that could not be had, or kept (decision O7). The message is safe to show to a caller. */
export class ContentError extends AppError<
  { code: ContentErrorCode; hint: string } & AppErrorDetails
> {
  constructor(code: ContentErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, { ...options, code, hint: hints[code], clause: 'decision O7' })
  }

  /** Whether another attempt may pass: what an id names never changes, where it is does. */
  get retryable(): boolean {
    return this.code === 'unavailable' || this.code === 'storage'
  }
}
