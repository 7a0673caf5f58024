import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { CID } from 'multiformats/cid'
import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  bytesOf,
  contentTestBed,
  gatewaysAt,
  impatientGatewaysAt,
  noise,
  textOf,
} from './content.fixture.ts'
import { parseContentId } from './contentId.ts'
import { createContentStore } from './contentStore.ts'
import { unixFsV0 } from './fileLayout.ts'
import { publicFetch } from './followRedirects.ts'
import { type Gateway, gatewayAt } from './gateway.ts'
import { GatewayFailure } from './gatewayFailure.ts'
import { createGateways } from './gateways.ts'

const bed = contentTestBed()
const forever = () => new AbortController().signal
const hello = blocksOf(bytesOf('hello\n'))
const cid = parseContentId(hello.cid)

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const good: Answer = (_request, response) => response.end('hello\n')

/** What a single gateway makes of an answer: the block, or its host and why it did not give it. */
async function outcome(answer: Answer, of: CID = cid, timeoutMs = 5_000): Promise<string> {
  const url = await bed.serve(answer)
  const gateway = gatewayAt(url, { fetch, fetchElsewhere: publicFetch(), timeoutMs })
  return await gateway.block(of, 100_000, forever()).then(textOf, (error: GatewayFailure) => {
    expect(error).toBeInstanceOf(GatewayFailure)
    return `${error.message}${error.blamed ? '' : ' (not to blame)'}`
  })
}

describe('what one gateway answers', () => {
  it('is asked for single blocks', async () => {
    let asked: IncomingMessage | undefined
    const url = await bed.serve((request, response) => {
      asked = request
      good(request, response)
    })
    const options = { fetch, fetchElsewhere: publicFetch(), timeoutMs: 5_000 }
    await gatewayAt(`${url}/below`, options).block(cid, 100, forever())
    expect(asked?.url).toBe(`/below/ipfs/${hello.cid}?format=raw`)
    expect(asked?.headers).toMatchObject({
      accept: 'application/vnd.ipld.raw',
      'accept-encoding': 'identity',
    })
  })

  it.each<[string, Answer]>([
    ['hello\n', good],
    ['does not have it (not to blame)', (_, response) => response.writeHead(404).end()],
    ['does not have it (not to blame)', (_, response) => response.writeHead(410).end()],
    ['answered 500', (_, response) => response.writeHead(500).end('a stack trace')],
    ['answered 429', (_, response) => response.writeHead(429, { 'retry-after': '7' }).end()],
    ['answered 403 (not to blame)', (_, response) => response.writeHead(403).end()],
    ['answered 206 (not to blame)', (_, response) => response.writeHead(206).end('hello\n')],
    ['answered bytes that do not match', (_, response) => response.end('garbage')],
    ['answered bytes that do not match', (_, response) => response.end()],
    [
      'answered more than 97.7 KiB (not to blame)',
      (_, response) => response.end(Buffer.alloc(100_001)),
    ],
    [
      'answered more than 97.7 KiB (not to blame)',
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

  it('a compressed bomb is measured as it unfolds', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const answer: Answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    expect(await outcome(answer)).toMatch(/^answered more than 97.7 KiB/)
  })

  it('silence, and a byte now and then, end with the time-out', async () => {
    expect(await outcome(() => {}, cid, 100)).toBe('took longer than 100 ms')
    const drip: Answer = (_, response) => {
      const timer = setInterval(() => response.write('h'), 20)
      response.on('close', () => clearInterval(timer))
    }
    expect(await outcome(drip, cid, 200)).toBe('took longer than 200 ms')
  })

  it('a gateway that knows no blocks is asked for the file where that is the block', async () => {
    const wholeFiles: Answer = (request, response) => {
      if (request.url?.includes('format=')) response.writeHead(406).end()
      else good(request, response)
    }
    expect(await outcome(wholeFiles)).toBe('hello\n')
    const node = parseContentId(blocksOf(bytesOf('hello\n'), unixFsV0).cid)
    expect(await outcome(wholeFiles, node)).toBe('answered 406 (not to blame)')
    expect(await outcome(good, node)).toBe(
      'answered bytes that do not match: perhaps it serves whole files, and no blocks',
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

  it('are not followed to a name that leads into the own network', async () => {
    const url = await bed.serve(to('http://gateway.example/x'))
    const fetchElsewhere = publicFetch(async () => [{ address: '10.1.2.3', family: 4 }])
    const gateway = gatewayAt(url, { fetch, fetchElsewhere, timeoutMs: 5_000 })
    await expect(gateway.block(cid, 100, forever())).rejects.toThrow(
      'redirected to gateway.example, which has no public address',
    )
  })

  it.each([
    ['file:///etc/passwd', 'redirected to a URL of the kind file:'],
    ['http://', 'redirected to something that is no URL'],
  ])('%s', async (location, text) => {
    expect(await outcome(to(location))).toBe(text)
  })

  it('stay on TLS, and may lead to the host of one content below the name', async () => {
    const asked: string[] = []
    const scripted = (async (url: URL) => {
      asked.push(String(url))
      const location =
        asked.length === 1 ? `https://${hello.cid}.ipfs.gw.example/` : 'http://gw.example/'
      return new Response(null, { status: 301, headers: { location } })
    }) as typeof fetch
    const elsewhere = async () => {
      throw new Error('is not asked')
    }
    const gateway = gatewayAt('https://gw.example', {
      fetch: scripted,
      fetchElsewhere: elsewhere,
      timeoutMs: 5_000,
    })
    await expect(gateway.block(cid, 100, forever())).rejects.toThrow('redirected away from TLS')
    expect(asked[1]).toBe(`https://${hello.cid}.ipfs.gw.example/`)
  })
})

describe('several gateways', () => {
  const failing: Answer = (_, response) => response.writeHead(500).end()

  it('are asked in order until one has it', async () => {
    const urls = [
      await bed.serve(failing),
      await bed.serve((_, response) => response.end('other')),
      await bed.serve((_, response) => response.writeHead(404).end()),
      await bed.serve(good),
    ]
    const fetched = await gatewaysAt(...urls).fetch(cid, 100, forever())
    expect(fetched).toEqual({ block: bytesOf('hello\n') })
  })

  it('each says why it did not give it', async () => {
    const urls = [
      await bed.serve(failing),
      await bed.serve((_, response) => response.writeHead(404).end()),
      await bed.serve((_, response) => response.end('other')),
    ]
    const directory = await bed.directory()
    const store = createContentStore({ directory, gateways: gatewaysAt(...urls) })
    const [first, , third] = urls.map((url) => new URL(url).host)
    await expect(store.get(hello.cid)).rejects.toThrow(
      `the content ${hello.cid} could not be had: the gateway ${first} answered 500; ` +
        `the gateway ${third} answered bytes that do not match`,
    )
  })

  it('a silent one does not hold up the others, and its request is ended', async () => {
    let ended = false
    const silent = await bed.serve((request) => request.on('close', () => (ended = true)))
    const gateways = impatientGatewaysAt(silent, await bed.serve(good))
    expect(await gateways.fetch(cid, 100, forever())).toHaveProperty('block')
    await expect.poll(() => ended).toBe(true)
  })

  it('the first counts even where it is late, when nobody else has it', async () => {
    const late = await bed.serve((request, response) =>
      setTimeout(() => good(request, response), 200),
    )
    const nothing = await bed.serve((_, response) => response.writeHead(404).end())
    expect(await impatientGatewaysAt(late, nothing).fetch(cid, 100, forever())).toHaveProperty(
      'block',
    )
  })

  it('are let go when the caller gives up', async () => {
    let ended = 0
    const silent: Answer = (request) => request.on('close', () => (ended += 1))
    const gateways = impatientGatewaysAt(await bed.serve(silent), await bed.serve(silent))
    const controller = new AbortController()
    const fetching = gateways.fetch(cid, 100, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 150)
    await expect(fetching).rejects.toThrow('enough')
    await expect.poll(() => ended).toBe(2)
  })

  describe('one that failed', () => {
    /** Gateways that answer as told, with a clock of their own. */
    function scripted(...answers: (() => Uint8Array)[]) {
      const asked: number[] = []
      let time = 0
      const members = answers.map(
        (answer, at): Gateway => ({
          host: `gateway-${at}`,
          block: async () => {
            asked.push(at)
            return answer()
          },
        }),
      )
      const gateways = createGateways({ gateways: members, headStartMs: 60_000, now: () => time })
      return {
        async asked(): Promise<number[]> {
          asked.length = 0
          await gateways.fetch(cid, 100, forever())
          return [...asked]
        },
        pass: (ms: number) => {
          time += ms
        },
      }
    }
    const fails =
      (options: ConstructorParameters<typeof GatewayFailure>[1]): (() => Uint8Array) =>
      () => {
        throw new GatewayFailure('failed', options)
      }
    const gives = () => bytesOf('hello\n')

    it('is asked last for a while, and longer each time', async () => {
      const { asked, pass } = scripted(fails({ blamed: true }), gives)
      expect(await asked()).toEqual([0, 1])
      expect(await asked()).toEqual([1])
      pass(30_001)
      expect(await asked()).toEqual([0, 1])
      pass(30_001)
      expect(await asked()).toEqual([1])
      pass(30_001)
      expect(await asked()).toEqual([0, 1])
    })

    it('stays in its place where it only does not have it', async () => {
      const { asked } = scripted(fails({ blamed: false }), gives)
      expect(await asked()).toEqual([0, 1])
      expect(await asked()).toEqual([0, 1])
    })

    it('is asked all the same when the others fail too', async () => {
      const { asked } = scripted(fails({ blamed: true }), fails({ blamed: true }))
      expect(await asked()).toEqual([0, 1])
      expect(await asked()).toEqual([0, 1])
    })

    it('is left alone for as long as it wants', async () => {
      const { asked, pass } = scripted(fails({ blamed: true, retryAfterMs: 60_000 }))
      expect(await asked()).toEqual([0])
      pass(59_999)
      expect(await asked()).toEqual([])
      pass(2)
      expect(await asked()).toEqual([0])
    })
  })
})

describe('those who want the same at once', () => {
  it('share one exchange, which ends when the last has given up', async () => {
    const asked: string[] = []
    let ended = 0
    const silent = await bed.serve((request) => {
      asked.push(request.url ?? '')
      request.on('close', () => (ended += 1))
    })
    const directory = await bed.directory()
    const store = createContentStore({ directory, gateways: gatewaysAt(silent) })
    const callers = Array.from({ length: 5 }, () => new AbortController())
    const waiting = callers.map(({ signal }) => store.get(hello.cid, { signal }))
    const outcomes = Promise.allSettled(waiting)
    await expect.poll(() => asked.length).toBe(1)
    for (const [at, caller] of callers.entries()) {
      expect(ended).toBe(0)
      caller.abort(new Error(`caller ${at} gave up`))
      await expect(waiting[at]).rejects.toThrow(`caller ${at} gave up`)
    }
    await outcomes
    await expect.poll(() => ended).toBe(1)
    expect(asked).toHaveLength(1)
  })

  it('begin anew after all have given up', async () => {
    let answers = false
    const url = await bed.serve((request, response) => {
      if (answers) good(request, response)
    })
    const store = createContentStore({
      directory: await bed.directory(),
      gateways: gatewaysAt(url),
    })
    const controller = new AbortController()
    const first = store.get(hello.cid, { signal: controller.signal })
    controller.abort(new Error('enough'))
    answers = true
    const second = store.get(hello.cid)
    await expect(first).rejects.toThrow('enough')
    expect(textOf(await second)).toBe('hello\n')
  })

  it('ask a gateway for a bounded number of blocks at a time', async () => {
    const { cid: root, blocks } = blocksOf(noise(20_000), {
      ...unixFsV0,
      chunkBytes: 100,
      maxLinks: 20,
    })
    let now = 0
    let most = 0
    const inner = await bed.gatewayWith(blocks)
    const url = await bed.serve(async (request, response) => {
      now += 1
      most = Math.max(most, now)
      const answer = await fetch(`${inner}${request.url}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now -= 1
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
    const store = createContentStore({
      directory: await bed.directory(),
      gateways: gatewaysAt(url),
    })
    expect((await store.get(root)).length).toBe(20_000)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(8)
  })
})
