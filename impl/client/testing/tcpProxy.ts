import { connect, createServer, type Socket } from 'node:net'
import { listen } from 'polgate-lib/http/listen.ts'

/** A proxy on loopback whose connections a test can break. */
export async function startTcpProxy(target: string) {
  const { hostname, port } = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  let connections = 0
  let silent = false
  const server = createServer((near) => {
    connections += 1
    const far = connect(Number(port), hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    near.on('error', end).on('close', end)
    far.on('error', end).on('close', end)
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => {
      if (!silent) near.write(chunk)
    })
  })
  const { url } = await listen(server)
  return {
    url,
    connections: () => connections,
    /** Resets every connection. */
    cut() {
      for (const [near, far] of [...pairs]) {
        near.resetAndDestroy()
        far.destroy()
      }
    },
    /** Keeps connections open and swallows what the target sends. */
    silence(on: boolean) {
      silent = on
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
