import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'

/**
 * Kinds of content failures.
 *
 * - `id`: the text is not a content id, or of an unsupported kind
 * - `kind`: the id refers to something other than a file: a directory, a link, other data
 * - `size`: the file has more bytes or blocks than allowed
 * - `unavailable`: no source has it, or none that has it is reachable
 * - `storage`: the local store cannot be read or written
 */
export type ContentErrorCode = 'id' | 'kind' | 'size' | 'unavailable' | 'storage'

const hints: Readonly<Record<ContentErrorCode, string>> = {
  id: 'A content id begins with Qm or b; `polgate content add FILE` prints that of a file.',
  kind: 'Use the id of the file itself, not of a directory, a link or other data.',
  size: 'Add a smaller file, or raise content.maxBytes of the configuration.',
  unavailable: 'Add the file with `polgate content add`, or configure a gateway that has it.',
  storage: 'Check that the directory exists, is writable and that the disk is not full.',
}

/** `64 MiB`, `10 bytes`, `1.4 MiB`: a size in an error message. */
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

  /** Whether a retry may succeed: the bytes of an id never change, but their availability does. */
  get retryable(): boolean {
    return this.code === 'unavailable' || this.code === 'storage'
  }
}
