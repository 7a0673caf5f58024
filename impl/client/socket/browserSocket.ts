import type { OpenSocket, SocketEnd } from './socket.ts'

type GlobalSocket = {
  send(text: string): void
  close(): void
  addEventListener(type: string, listener: (event: never) => void): void
}

type Globals = { readonly WebSocket?: new (url: string) => GlobalSocket }

/** A socket, or why there is none, without the URL, which contains the key. */
function construct(url: string): GlobalSocket | string {
  const { WebSocket } = globalThis as Globals
  if (WebSocket === undefined) return 'this platform has no global WebSocket'
  try {
    return new WebSocket(url)
  } catch {
    return 'the platform refused to open the WebSocket, as a page with TLS does for ws:'
  }
}

/**
 * Browsers, and other platforms with a global WebSocket, which cannot set headers: the key is in
 * the query (decision W2). They do not tell why a handshake was refused.
 */
export const openSocket: OpenSocket = ({ url, key, maxMessageBytes }, events) => {
  const socket = construct(`${url}?api_key=${encodeURIComponent(key)}`)
  if (typeof socket === 'string') {
    queueMicrotask(() => events.end({ code: 1006, cause: new Error(socket) }))
    return { send() {}, close() {} }
  }
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
