import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { RawData, WebSocket } from 'ws'
import type { MarkFired } from './mutant.ts'
import type { Json } from './wrappedListeners.ts'

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const around = (socket: (socket: WebSocket) => WebSocket): ServiceParts => ({
  updateServer: (deps) => ({
    ...deps,
    // Many variants wrap one socket.
    socket: (opened) => socket(deps.socket?.(opened) ?? opened).setMaxListeners(0),
  }),
})

/** A socket that sends something else, or nothing where `change` returns undefined. */
function sending(
  socket: WebSocket,
  change: (frame: Json) => Json,
  markFired: MarkFired,
): WebSocket {
  const send = socket.send.bind(socket)
  return Object.assign(socket, {
    send: (text: string, sent: () => void) => {
      const instead = JSON.stringify(change(parse(text)))
      if (instead !== JSON.stringify(parse(text))) markFired()
      if (instead !== undefined) send(instead === text ? text : instead, sent)
    },
  })
}

/**
 * Changes the messages that the gateway sends over WebSockets. `change` gets a copy and returns
 * what is sent instead, or undefined to drop it; an unchanged copy leaves the message as it is.
 */
export const changedFrame =
  (change: (frame: Json) => Json) =>
  (markFired: MarkFired): ServiceParts =>
    around((socket) => sending(socket, change, markFired))

/** The same with the last message of the client. */
export const changedReply =
  (change: (frame: Json, received: Json) => Json) =>
  (markFired: MarkFired): ServiceParts =>
    around((socket) => {
      let received: Json
      socket.on('message', (data) => {
        received = parse(String(data))
      })
      return sending(socket, (frame) => change(frame, received), markFired)
    })

/** The same for updates only: `change` gets the `result` of one (section 6.1). */
export const changedUpdate = (change: (result: Json) => Json) =>
  changedFrame((frame) =>
    frame?.type === 'update' ? { ...frame, result: change(frame.result) } : frame,
  )

/** Changes messages of clients before the gateway gets them. */
export const changedMessage =
  (change: (message: Json) => Json) =>
  (markFired: MarkFired): ServiceParts =>
    around((socket) => {
      const on = socket.on.bind(socket)
      const hear = (listener: (data: RawData, isBinary: boolean) => void) =>
        on('message', (data, isBinary) => {
          const message = parse(String(data))
          const instead = message === undefined ? undefined : JSON.stringify(change(message))
          if (instead === undefined || instead === JSON.stringify(message))
            return listener(data, isBinary)
          markFired()
          listener(Buffer.from(instead), isBinary)
        })
      return Object.assign(socket, {
        on: (event: string, listener: (...given: never[]) => void) =>
          event === 'message'
            ? hear(listener as Parameters<typeof hear>[0])
            : on(event, listener as () => void),
      }) as WebSocket
    })
