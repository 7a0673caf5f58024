import { ContentError, type ContentErrorCode } from './contentError.ts'
import { inlineBlock, parseContentId } from './contentId.ts'
import type { ContentStore } from './contentStore.ts'

/** Handles requests for `/ipfs/{cid}`. */
export type ContentServer = (request: Request) => Promise<Response>

const statuses: Readonly<Record<ContentErrorCode, number>> = {
  id: 400,
  // Known, but not as a file: its blocks are available.
  kind: 406,
  size: 413,
  unavailable: 404,
  storage: 500,
}
const rawBlock = 'application/vnd.ipld.raw'
/** Maximum number of whole files joined concurrently; each may be as large as the store allows. */
const maxFiles = 8

/**
 * Serves the contents of a store like an IPFS gateway (decision O7): `?format=raw` or the header
 * `Accept: application/vnd.ipld.raw` requests a single block, anything else the whole file. If the
 * store has gateways, any caller can make it fetch from them.
 */
export function serveContent(store: Pick<ContentStore, 'get' | 'block'>): ContentServer {
  let files = 0

  async function fileOf(cid: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (files >= maxFiles) return undefined
    files += 1
    try {
      return await store.get(cid, { signal })
    } finally {
      files -= 1
    }
  }

  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(405, 'only GET and HEAD are supported', { allow: 'GET, HEAD' })
    }
    const { pathname, searchParams } = new URL(request.url)
    const [, text, ...below] = /^\/ipfs\/([^/]*)(\/.*)?$/.exec(pathname) ?? []
    if (text === undefined) return refuse(404, 'contents are at /ipfs/{cid}')
    if (below[0] !== undefined && below[0] !== '/') {
      return refuse(
        404,
        'paths below a content id are not supported: use the content id of the file',
      )
    }
    const format = searchParams.get('format') ?? formatOf(request.headers.get('accept') ?? '')
    if (format !== 'raw' && format !== 'file') {
      return refuse(406, 'only single blocks (format=raw) and whole files are supported')
    }
    try {
      const cid = parseContentId(text)
      const etag = format === 'raw' ? `"${cid}.raw"` : `"${cid}"`
      const headers = headersOf(String(cid), format, etag)
      if (knows(request.headers.get('if-none-match'), etag)) {
        return new Response(null, { status: 304, headers })
      }
      const bytes =
        format === 'raw'
          ? (inlineBlock(cid) ?? (await store.block(text)))
          : await fileOf(text, request.signal)
      if (bytes === undefined && format === 'raw') {
        return refuse(404, `the block ${cid} was not found`)
      }
      if (bytes === undefined) {
        return refuse(503, 'too many concurrent requests for files', { 'retry-after': '1' })
      }
      headers['content-length'] = String(bytes.length)
      const body = request.method === 'HEAD' ? null : Uint8Array.from(bytes)
      return new Response(body, { status: 200, headers })
    } catch (error) {
      if (!(error instanceof ContentError)) throw error
      return refuse(statuses[error.code], error.message)
    }
  }
}

function formatOf(accept: string): string {
  if (accept.includes(rawBlock)) return 'raw'
  return /^application\/vnd\.ipld\.car\b[^,]*$/.test(accept.trim()) ? 'car' : 'file'
}

/** The content is untrusted: no browser may interpret it as a page of this host. */
const inert = { 'x-content-type-options': 'nosniff', 'content-security-policy': 'sandbox' }

function headersOf(cid: string, format: 'raw' | 'file', etag: string): Record<string, string> {
  return {
    ...inert,
    'content-type': format === 'raw' ? rawBlock : 'application/octet-stream',
    'content-disposition': `attachment; filename="${cid}.bin"`,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-ipfs-path': `/ipfs/${cid}`,
    vary: 'accept',
    etag,
  }
}

function knows(ifNoneMatch: string | null, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

function refuse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      ...inert,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    },
  })
}
