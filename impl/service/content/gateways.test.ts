import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  bytesOf,
  contentHarness,
  gatewaysAt,
  impatientGatewaysAt,
  noise,
  textOf,
} from './content.fixture.ts'
import { parseContentId } from './contentId.ts'
import { createContentStore } from './contentStore.ts'
import { unixFsV0 } from './fileLayout.ts'
import type { Gateway } from './gateway.ts'
import { GatewayFailure } from './gatewayFailure.ts'
import { createGateways } from './gateways.ts'

const bed = contentHarness()
const forever = () => new AbortController().signal
const hello = blocksOf(bytesOf('hello\n'))
const cid = parseContentId(hello.cid)

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const good: Answer = (_request, response) => response.end('hello\n')

describe('several gateways', () => {
  const failing: Answer = (_, response) => response.writeHead(500).end()

  it('are requested in order until one has it', async () => {
    const urls = [
      await bed.serve(failing),
      await bed.serve((_, response) => response.end('other')),
      await bed.serve((_, response) => response.writeHead(404).end()),
      await bed.serve(good),
    ]
    const fetched = await gatewaysAt(...urls).fetch(cid, 100, forever())
    expect(fetched).toEqual({ block: bytesOf('hello\n') })
  })

  it('are all reported with their failures', async () => {
    const urls = [
      await bed.serve(failing),
      await bed.serve((_, response) => response.writeHead(404).end()),
      await bed.serve((_, response) => response.end('other')),
    ]
    const directory = await bed.directory()
    const store = createContentStore({ directory, gateways: gatewaysAt(...urls) })
    const [first, , third] = urls.map((url) => new URL(url).host)
    await expect(store.get(hello.cid)).rejects.toThrow(
      `the content ${hello.cid} is unavailable: the gateway ${first} returned status 500; ` +
        `the gateway ${third} returned bytes that do not match the id`,
    )
  })

  it('a silent one does not delay the others, and its request is aborted', async () => {
    let ended = false
    const silent = await bed.serve((request) => request.on('close', () => (ended = true)))
    const gateways = impatientGatewaysAt(silent, await bed.serve(good))
    expect(await gateways.fetch(cid, 100, forever())).toHaveProperty('block')
    await expect.poll(() => ended).toBe(true)
  })

  it('the first is used even if it is slow, when no other has it', async () => {
    const late = await bed.serve((request, response) =>
      setTimeout(() => good(request, response), 200),
    )
    const nothing = await bed.serve((_, response) => response.writeHead(404).end())
    expect(await impatientGatewaysAt(late, nothing).fetch(cid, 100, forever())).toHaveProperty(
      'block',
    )
  })

  it('are aborted when the caller cancels', async () => {
    let ended = 0
    const silent: Answer = (request) => request.on('close', () => (ended += 1))
    const gateways = impatientGatewaysAt(await bed.serve(silent), await bed.serve(silent))
    const controller = new AbortController()
    const fetching = gateways.fetch(cid, 100, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 150)
    await expect(fetching).rejects.toThrow('enough')
    await expect.poll(() => ended).toBe(2)
  })

  describe('one that has failed', () => {
    /** Gateways with scripted responses and a simulated clock. */
    function scripted(...answers: (() => Uint8Array)[]) {
      const requests: number[] = []
      let time = 0
      const members = answers.map(
        (answer, at): Gateway => ({
          host: `gateway-${at}`,
          block: async () => {
            requests.push(at)
            return answer()
          },
        }),
      )
      const gateways = createGateways({ gateways: members, headStartMs: 60_000, now: () => time })
      return {
        async requests(): Promise<number[]> {
          requests.length = 0
          await gateways.fetch(cid, 100, forever())
          return [...requests]
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

    it('is requested last for a while, longer each time', async () => {
      const { requests, pass } = scripted(fails({ blamed: true }), gives)
      expect(await requests()).toEqual([0, 1])
      expect(await requests()).toEqual([1])
      pass(30_001)
      expect(await requests()).toEqual([0, 1])
      pass(30_001)
      expect(await requests()).toEqual([1])
      pass(30_001)
      expect(await requests()).toEqual([0, 1])
    })

    it('keeps its place if it merely lacks the content', async () => {
      const { requests } = scripted(fails({ blamed: false }), gives)
      expect(await requests()).toEqual([0, 1])
      expect(await requests()).toEqual([0, 1])
    })

    it('is still requested when the others fail too', async () => {
      const { requests } = scripted(fails({ blamed: true }), fails({ blamed: true }))
      expect(await requests()).toEqual([0, 1])
      expect(await requests()).toEqual([0, 1])
    })

    it('is not requested during its Retry-After', async () => {
      const { requests, pass } = scripted(fails({ blamed: true, retryAfterMs: 60_000 }))
      expect(await requests()).toEqual([0])
      pass(59_999)
      expect(await requests()).toEqual([])
      pass(2)
      expect(await requests()).toEqual([0])
    })
  })
})

describe('concurrent callers for the same content', () => {
  it('share one exchange, which is aborted when the last one cancels', async () => {
    const requests: string[] = []
    let ended = 0
    const silent = await bed.serve((request) => {
      requests.push(request.url ?? '')
      request.on('close', () => (ended += 1))
    })
    const directory = await bed.directory()
    const store = createContentStore({ directory, gateways: gatewaysAt(silent) })
    const callers = Array.from({ length: 5 }, () => new AbortController())
    const waiting = callers.map(({ signal }) => store.get(hello.cid, { signal }))
    const outcomes = Promise.allSettled(waiting)
    await expect.poll(() => requests.length).toBe(1)
    for (const [at, caller] of callers.entries()) {
      expect(ended).toBe(0)
      caller.abort(new Error(`caller ${at} cancelled`))
      await expect(waiting[at]).rejects.toThrow(`caller ${at} cancelled`)
    }
    await outcomes
    await expect.poll(() => ended).toBe(1)
    expect(requests).toHaveLength(1)
  })

  it('start again after all have cancelled', async () => {
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

  it('request a bounded number of blocks at a time from a gateway', async () => {
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
