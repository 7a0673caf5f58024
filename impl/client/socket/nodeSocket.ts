import { WebSocket } from 'ws'
import type { OpenSocket, SocketEnd } from './socket.ts'

/** Node, with the key in a header (decision W2). Node 20 has no global WebSocket. */
export const openSocket: OpenSocket = ({ url, key, maxMessageBytes }, events) => {
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${key}` },
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
  })
  let ended = false
  let cause: unknown
  const end = (why: SocketEnd) => {
    if (ended) return
    ended = true
    socket.terminate()
    events.end(why)
  }
  socket.on('open', () => events.open())
  socket.on('message', (data, isBinary) => {
    if (!ended && !isBinary) events.message(String(data))
  })
  socket.on('unexpected-response', (request, { statusCode, headers }) => {
    request.destroy()
    end({ code: 1006, status: statusCode, retryAfter: headers['retry-after'] })
  })
  socket.on('error', (error) => {
    cause = error
  })
  socket.on('close', (code) => end({ code, cause }))
  return {
    send: (text) => socket.send(text, () => {}),
    close() {
      ended = true
      socket.terminate()
    },
  }
}
