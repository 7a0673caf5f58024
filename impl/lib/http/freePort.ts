import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { listen } from './listen.ts'

/** Below the ranges from which systems take the ports of outgoing connections and of `listen(0)`. */
const [first, end] = [20_000, 32_768]
const mostTries = 50
/** Of this process: two servers that start at the same time must not get the same. */
const given = new Set<number>()

/**
 * Returns a free loopback port for a server that another process starts, or that is restarted on its
 * port. The system never assigns it to an outgoing connection or to a server on port 0, so it stays
 * free until then.
 *
 * @throws the error of the system if one port after another is taken
 */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(first, end)
    if (given.has(port)) continue
    given.add(port)
    const server = createServer()
    try {
      await listen(server, { port })
      await new Promise((resolve) => server.close(resolve))
      return port
    } catch (error) {
      if (tries === mostTries) throw error
    }
  }
}
