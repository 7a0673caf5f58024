import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CID } from 'multiformats/cid'
import { ContentError } from './contentError.ts'

/** Where blocks may come from. Nothing it answers is believed before it is hashed. */
export interface BlockSource {
  /** The block, or undefined when this source does not have it. */
  read(cid: CID, limits: { maxBytes: number; signal: AbortSignal }): Promise<Uint8Array | undefined>
}

/** A directory of blocks, one file each, named by content id. */
export function directorySource(
  directory: string,
): BlockSource & { write(cid: CID, block: Uint8Array): Promise<void> } {
  const pathOf = (cid: CID) => join(directory, cid.toString())
  return {
    async read(cid, { maxBytes }) {
      try {
        const { size } = await stat(pathOf(cid))
        if (size > maxBytes) throw tooLarge(maxBytes)
        return await readFile(pathOf(cid))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async write(cid, block) {
      await mkdir(directory, { recursive: true })
      const aside = `${pathOf(cid)}.${randomUUID()}`
      try {
        await writeFile(aside, block)
        await rename(aside, pathOf(cid))
      } finally {
        await rm(aside, { force: true })
      }
    },
  }
}

/**
 * An HTTP gateway with the path `/ipfs/{cid}`, asked for single blocks (`format=raw`), so that every
 * answer can be checked by its own hash.
 */
export function gatewaySource(
  base: string,
  options: { fetch?: typeof fetch; timeoutMs?: number } = {},
): BlockSource {
  const { fetch: send = fetch, timeoutMs = 20_000 } = options
  return {
    async read(cid, { maxBytes, signal }) {
      const url = new URL(`ipfs/${cid}?format=raw`, base.endsWith('/') ? base : `${base}/`)
      const response = await send(url, {
        headers: { accept: 'application/vnd.ipld.raw' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      if (!response.ok || !response.body) {
        await response.body?.cancel()
        if (response.status === 404 || response.status === 410) return undefined
        throw new ContentError('unavailable', `the gateway ${url.host} answered ${response.status}`)
      }
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of response.body) {
        size += chunk.length
        if (size > maxBytes) throw tooLarge(maxBytes)
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    },
  }
}

export function tooLarge(maxBytes: number): ContentError {
  return new ContentError('size', `the content is larger than ${maxBytes} bytes`)
}
