import type { OpenSocket, SocketEnd } from './socket.ts'

type GlobalSocket = {
  send(text: string): void
  close(): void
  addEventListener(type: string, listener: (event: never) => void): void
}

type Globals = { readonly WebSocket?: new (url: string) => GlobalSocket }

/**
 * Browsers, and other platforms with a global WebSocket, which cannot set headers: the key is in
 * the query (decision W2). They do not tell why a handshake was refused.
 */
export const openSocket: OpenSocket = ({ url, key, maxMessageBytes }, events) => {
  const { WebSocket } = globalThis as Globals
  if (WebSocket === undefined) {
    const cause = new Error('this platform has no global WebSocket')
    queueMicrotask(() => events.end({ code: 1006, cause }))
    return { send() {}, close() {} }
  }
  const socket = new WebSocket(`${url}?api_key=${encodeURIComponent(key)}`)
  let ended = false
  const end = (why: SocketEnd) => {
    if (ended) return
    ended = true
    socket.close()
    events.end(why)
  }
  socket.addEventListener('open', () => {
    if (!ended) events.open()
  })
  socket.addEventListener('message', ({ data }: { data: unknown }) => {
    if (ended || typeof data !== 'string') return
    if (data.length > maxMessageBytes) end({ code: 1009 })
    else events.message(data)
  })
  socket.addEventListener('close', ({ code }: { code: number }) => end({ code }))
  return {
    send: (text) => socket.send(text),
    close() {
      ended = true
      socket.close()
    },
  }
}
