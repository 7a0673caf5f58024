import { closeCode } from 'polgate-protocol/socketAddress.ts'
import type { WebSocket } from 'ws'

/** The sending side of one connection, with a bounded buffer. */
export type OutgoingSocket = {
  send(text: string): void
  /** Closes; a peer that does not answer in time is disconnected. Only the first call counts. */
  close(code: number, reason: string): void
  isOpen(): boolean
}

export type OutgoingSocketOptions = {
  readonly bufferedBytes: number
  /** What waits for the connections of the key of this one. */
  readonly ofKey: { isFull(): boolean; add(bytes: number): () => void }
  readonly closeMs: number
  /** Called once, when nothing more will be sent. */
  readonly onClosing: () => void
}

export function createOutgoingSocket(
  socket: WebSocket,
  options: OutgoingSocketOptions,
): OutgoingSocket {
  let open = true
  const close = (code: number, reason: string) => {
    if (!open) return
    open = false
    options.onClosing()
    socket.close(code, reason)
    const cut = setTimeout(() => socket.terminate(), options.closeMs)
    socket.once('close', () => clearTimeout(cut))
  }
  socket.once('close', () => {
    if (!open) return
    open = false
    options.onClosing()
  })
  return {
    send(text) {
      if (!open) return
      const waiting = socket.bufferedAmount
      if (waiting > options.bufferedBytes || (waiting > 0 && options.ofKey.isFull()))
        return close(closeCode.tryAgainLater, 'reads too slowly')
      // An error here ends the connection, which the close event reports.
      socket.send(text, options.ofKey.add(Buffer.byteLength(text)))
    },
    close,
    isOpen: () => open,
  }
}
