import { createServer, type IncomingMessage } from 'node:http'
import { foreignCaller } from 'polgate-protocol/localCaller.ts'
import { listening } from '../../wire/listening.ts'
import { type Chaos, type ChaosCounts, isChaos } from './chaos.ts'

/** A connection on which faults can be injected: `chain`, `oracles`, `operator-0` and so on. */
export type ChaosLink = {
  readonly name: string
  /** Its address, for components that are configured with one, such as an oracle. */
  readonly url: string
  readonly set: (chaos: Chaos | undefined) => Promise<void>
  readonly counts: () => ChaosCounts
}

export type ChaosControl = { readonly url: string; readonly close: () => Promise<void> }

/** A fault description is short. */
const longestBody = 64 * 1024

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (text.length > longestBody) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The loopback API for fault injection. Any other implementation serves the same three requests:
 *
 * - `GET /links`: `[{name, url, counts}]`
 * - `PUT /links/{name}` with a `Chaos`: active once it is answered
 * - `DELETE /links/{name}`: removes the fault
 */
export async function serveChaos(links: readonly ChaosLink[]): Promise<ChaosControl> {
  const told = () => links.map(({ name, url, counts }) => ({ name, url, counts: counts() }))
  const answer = async (request: IncomingMessage): Promise<readonly [number, unknown]> => {
    const foreign = foreignCaller(request.headers, request.socket.localPort ?? 0)
    if (foreign !== undefined) return [403, { error: foreign }]
    const [, root, name, more] = (request.url ?? '').split('/')
    if (root !== 'links' || more !== undefined) return [404, { error: 'no such path' }]
    if (name === undefined) return request.method === 'GET' ? [200, told()] : [405, {}]
    const link = links.find((each) => each.name === name)
    if (link === undefined) return [404, { error: 'no such link' }]
    if (request.method === 'DELETE') await link.set(undefined)
    else if (request.method === 'PUT') {
      const chaos = await bodyOf(request)
      if (!isChaos(chaos)) return [422, { error: 'chaos is {trouble, seed, share?, only?}' }]
      await link.set(chaos)
    } else return [405, {}]
    return [200, told().find((each) => each.name === name)]
  }
  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      },
      () => response.writeHead(500).end(),
    )
  })
  return listening(server)
}
