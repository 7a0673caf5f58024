import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CID } from 'multiformats/cid'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { afterEach } from 'vitest'
import { keyOf, parseContentId } from './contentId.ts'
import { type FileLayout, fileBlocks, unixFsV1 } from './fileLayout.ts'
import { httpGateways } from './gateways.ts'
import { bytesField, numberField } from './protobuf.ts'

/** Blocks by `keyOf` of their content id. */
export type Blocks = Map<string, Uint8Array>

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

/** Pseudo-random bytes, the same in every run. */
export function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    bytes[at] = state >>> 16
  }
  return bytes
}

/** The blocks of a file, and its content id. */
export function blocksOf(file: Uint8Array, layout: FileLayout = unixFsV1) {
  const all = [...fileBlocks(file, layout)]
  const blocks: Blocks = new Map(all.map(({ cid, block }) => [keyOf(cid), block]))
  return { cid: String(all.at(-1)?.cid), blocks, all }
}

/** A UnixFS message, encoded by hand to allow unusual ones. */
export function unixFs(options: {
  type?: number
  data?: Uint8Array
  fileBytes?: number
  blockBytes?: readonly number[]
}): Uint8Array {
  const { type = 2, data, fileBytes, blockBytes = [] } = options
  return Buffer.concat([
    numberField(1, type),
    ...(data ? [bytesField(2, data)] : []),
    ...(fileBytes === undefined ? [] : [numberField(3, fileBytes)]),
    ...blockBytes.map((each) => numberField(4, each)),
  ])
}

/** A dag-pb node with a UnixFS message and links. */
export const nodeOf = (message: Uint8Array, links: readonly CID[] = []): Uint8Array =>
  Buffer.concat([
    ...links.map((cid) => bytesField(2, bytesField(1, cid.bytes))),
    bytesField(1, message),
  ])

/** Temporary directories and loopback servers, removed after each test. */
export function contentHarness() {
  const cleanup = createCleanupStack()
  afterEach(cleanup.close)

  async function directory(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'content-'))
    cleanup.defer(() => rm(path, { recursive: true, force: true }))
    return path
  }

  async function serve(listener: RequestListener): Promise<string> {
    const server: Server = createServer(listener)
    const { url } = await listen(server)
    cleanup.defer(() => drain(server))
    return url
  }

  /** A gateway that serves blocks; `requests` records their paths in order. */
  async function gatewayWith(blocks: Blocks, requests: string[] = []): Promise<string> {
    return await serve((request, response) => {
      requests.push(request.url ?? '')
      const cid = /^\/ipfs\/(\w+)\?format=raw$/.exec(request.url ?? '')?.[1]
      const block = cid && blocks.get(keyOf(parseContentId(cid)))
      if (block) response.end(block)
      else response.writeHead(404).end()
    })
  }

  return { directory, serve, gatewayWith }
}

const gatewaysWith = (urls: readonly string[], headStartMs: number) =>
  httpGateways({ urls, headStartMs, timeoutMs: 60_000 })

/** Gateways that are requested strictly one after another. */
export const gatewaysAt = (...urls: string[]) => gatewaysWith(urls, 60_000)

/** Gateways with a short head start. */
export const impatientGatewaysAt = (...urls: string[]) => gatewaysWith(urls, 50)
