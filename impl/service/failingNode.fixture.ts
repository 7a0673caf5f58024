import { createServer } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'

export type FailingNode = { readonly url: string; close(): Promise<void> }

/** The only calls that a failing node answers: its chain id and latest block. */
const answers: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x1',
  eth_getBlockByNumber: {
    ...{ number: '0x5', hash: `0x${'05'.repeat(32)}`, timestamp: '0x65000000' },
    ...{ gasLimit: '0x1c9c380', gasUsed: '0x0', transactions: [] },
  },
}

/**
 * A node that fails after reporting its latest block, so that a task is admitted and then fails.
 *
 * @param failure `refuses`: every other call is answered with 503. `hangs`: none is answered.
 */
export async function startFailingNode(failure: 'refuses' | 'hangs'): Promise<FailingNode> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { id, method } = JSON.parse(text) as { id: number; method: string }
    const result = answers[method]
    if (result === undefined && failure === 'hangs') return
    response.writeHead(result === undefined ? 503 : 200, { 'content-type': 'application/json' })
    response.end(result === undefined ? '{}' : JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const { url } = await listen(server)
  return { url, close: () => drain(server) }
}
