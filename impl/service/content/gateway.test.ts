import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { CID } from 'multiformats/cid'
import { describe, expect, it } from 'vitest'
import { blocksOf, bytesOf, contentHarness, textOf } from './content.fixture.ts'
import { parseContentId } from './contentId.ts'
import { unixFsV0 } from './fileLayout.ts'
import { publicFetch } from './followRedirects.ts'
import { gatewayAt } from './gateway.ts'
import { GatewayFailure } from './gatewayFailure.ts'

const bed = contentHarness()
const forever = () => new AbortController().signal
const hello = blocksOf(bytesOf('hello\n'))
const cid = parseContentId(hello.cid)

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const good: Answer = (_request, response) => response.end('hello\n')

/** The result of a single gateway: the block, or its failure. */
async function outcome(answer: Answer, of: CID = cid, timeoutMs = 5_000): Promise<string> {
  const url = await bed.serve(answer)
  const gateway = gatewayAt(url, { fetch, fetchElsewhere: publicFetch(), timeoutMs })
  return await gateway.block(of, 100_000, forever()).then(textOf, (error: GatewayFailure) => {
    expect(error).toBeInstanceOf(GatewayFailure)
    return `${error.message}${error.blamed ? '' : ' (no fault)'}`
  })
}

describe('responses of one gateway', () => {
  it('are requested for single blocks', async () => {
    let received: IncomingMessage | undefined
    const url = await bed.serve((request, response) => {
      received = request
      good(request, response)
    })
    const options = { fetch, fetchElsewhere: publicFetch(), timeoutMs: 5_000 }
    await gatewayAt(`${url}/below`, options).block(cid, 100, forever())
    expect(received?.url).toBe(`/below/ipfs/${hello.cid}?format=raw`)
    expect(received?.headers).toMatchObject({
      accept: 'application/vnd.ipld.raw',
      'accept-encoding': 'identity',
    })
  })

  it.each<[string, Answer]>([
    ['hello\n', good],
    ['does not have it (no fault)', (_, response) => response.writeHead(404).end()],
    ['does not have it (no fault)', (_, response) => response.writeHead(410).end()],
    ['returned status 500', (_, response) => response.writeHead(500).end('a stack trace')],
    ['returned status 429', (_, response) => response.writeHead(429, { 'retry-after': '7' }).end()],
    ['returned status 403 (no fault)', (_, response) => response.writeHead(403).end()],
    ['returned status 206 (no fault)', (_, response) => response.writeHead(206).end('hello\n')],
    ['returned bytes that do not match the id', (_, response) => response.end('garbage')],
    ['returned bytes that do not match the id', (_, response) => response.end()],
    [
      'returned more than 97.7 KiB (no fault)',
      (_, response) => response.end(Buffer.alloc(100_001)),
    ],
    [
      'returned more than 97.7 KiB (no fault)',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100001' }).write('begun')
      },
    ],
    ['could not be reached (UND_ERR_SOCKET)', (_, response) => response.destroy()],
    [
      'could not be reached (UND_ERR_SOCKET)',
      (_, response) => {
        response.writeHead(200, { 'content-length': '6' }).write('hel')
        setTimeout(() => response.destroy(), 20)
      },
    ],
  ])('%s', async (text, answer) => {
    expect(await outcome(answer)).toBe(text)
  })

  it('a compressed bomb is limited by its decompressed size', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const answer: Answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    expect(await outcome(answer)).toMatch(/^returned more than 97.7 KiB/)
  })

  it('silence and slow bytes end at the timeout', async () => {
    expect(await outcome(() => {}, cid, 100)).toBe('took longer than 100 ms')
    const drip: Answer = (_, response) => {
      const timer = setInterval(() => response.write('h'), 20)
      response.on('close', () => clearInterval(timer))
    }
    expect(await outcome(drip, cid, 200)).toBe('took longer than 200 ms')
  })

  it('a gateway without blocks is requested for the file if that is the block', async () => {
    const wholeFiles: Answer = (request, response) => {
      if (request.url?.includes('format=')) response.writeHead(406).end()
      else good(request, response)
    }
    expect(await outcome(wholeFiles)).toBe('hello\n')
    const node = parseContentId(blocksOf(bytesOf('hello\n'), unixFsV0).cid)
    expect(await outcome(wholeFiles, node)).toBe('returned status 406 (no fault)')
    expect(await outcome(good, node)).toBe(
      'returned bytes that do not match the id: perhaps it serves whole files instead of blocks',
    )
  })
})

describe('redirects', () => {
  const to =
    (location: string): Answer =>
    (_, response) =>
      response.writeHead(302, { location }).end()

  it('are followed on the same host, up to three times', async () => {
    const turns: Answer = (request, response) => {
      const turn = Number(/\d$/.exec(request.url ?? '')?.[0] ?? 0)
      if (turn === 3) good(request, response)
      else to(`/moved/${turn + 1}`)(request, response)
    }
    expect(await outcome(turns)).toBe('hello\n')
    expect(await outcome(to('/again'))).toBe('redirected more than 3 times')
  })

  it.each([
    'http://10.0.0.1/ipfs/x',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:1/',
    'http://0x7f000001/',
    'http://2130706433/',
  ])('are not followed to %s', async (location) => {
    expect(await outcome(to(location))).toBe(
      `redirected to ${new URL(location).host}, which has no public address`,
    )
  })

  it('are not followed to another port of the machine', async () => {
    const inner: string[] = []
    const other = await bed.serve((request, response) => {
      inner.push(request.url ?? '')
      response.end('hello\n')
    })
    expect(await outcome(to(`${other}/admin`))).toContain('which has no public address')
    expect(inner).toEqual([])
  })

  it('are not followed to a name with an internal address', async () => {
    const url = await bed.serve(to('http://gateway.example/x'))
    const fetchElsewhere = publicFetch(async () => [{ address: '10.1.2.3', family: 4 }])
    const gateway = gatewayAt(url, { fetch, fetchElsewhere, timeoutMs: 5_000 })
    await expect(gateway.block(cid, 100, forever())).rejects.toThrow(
      'redirected to gateway.example, which has no public address',
    )
  })

  it.each([
    ['file:///etc/passwd', 'redirected to a URL with the scheme file:'],
    ['http://', 'redirected to an invalid URL'],
  ])('%s', async (location, text) => {
    expect(await outcome(to(location))).toBe(text)
  })

  it('stay on TLS, and may lead to a subdomain per content', async () => {
    const requests: string[] = []
    const scripted = (async (url: URL) => {
      requests.push(String(url))
      const location =
        requests.length === 1 ? `https://${hello.cid}.ipfs.gw.example/` : 'http://gw.example/'
      return new Response(null, { status: 301, headers: { location } })
    }) as typeof fetch
    const elsewhere = async () => {
      throw new Error('unexpected request')
    }
    const gateway = gatewayAt('https://gw.example', {
      fetch: scripted,
      fetchElsewhere: elsewhere,
      timeoutMs: 5_000,
    })
    await expect(gateway.block(cid, 100, forever())).rejects.toThrow('redirected away from TLS')
    expect(requests[1]).toBe(`https://${hello.cid}.ipfs.gw.example/`)
  })
})
