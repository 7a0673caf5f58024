import type { IncomingMessage } from 'node:http'

/** Longest body of a webhook that a receiver of this project reads, bytes. */
export const maxReceivedBody = 1024 * 1024

/** The body of a request to a receiver of webhooks; undefined if it is too long. */
export async function receivedBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    size += (piece as Buffer).length
    if (size > maxReceivedBody) return undefined
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}
