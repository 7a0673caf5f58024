import type { CID } from 'multiformats/cid'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { BadBlock, collectBlock } from './collectBlock.ts'
import { dagPbCodec } from './contentId.ts'
import { followRedirects, type GatewayFetch } from './followRedirects.ts'
import { GatewayFailure } from './gatewayFailure.ts'

export type GatewayOptions = {
  /** For the gateway itself, whose address the service's operator has chosen. */
  readonly fetch: typeof globalThis.fetch
  /** For redirects to other hosts: public addresses only. */
  readonly fetchElsewhere: GatewayFetch
  /** Timeout of one exchange, from the request to the last byte. */
  readonly timeoutMs: number
}

/** An HTTP gateway that serves single blocks, so that every response can be checked by its hash. */
export type Gateway = {
  /** Its name in messages: host and port, nothing else of its URL. */
  readonly host: string
  /** @throws GatewayFailure; the signal's reason when that aborts */
  block(cid: CID, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>
}

const rawBlock = { accept: 'application/vnd.ipld.raw', 'accept-encoding': 'identity' }
const wholeFile = { accept: '*/*', 'accept-encoding': 'identity' }
/** Statuses of a gateway that does not serve blocks. */
const noBlockSupport = new Set([400, 406, 415, 501])
const maxRetryAfterMs = 5 * 60_000

/** @param base URL above `/ipfs/{cid}` */
export function gatewayAt(base: string, options: GatewayOptions): Gateway {
  const home = new URL(base.endsWith('/') ? base : `${base}/`)

  async function request(cid: CID, format: string, headers: typeof rawBlock, signal: AbortSignal) {
    const url = new URL(`ipfs/${cid}${format}`, home)
    return await followRedirects(url, { headers, signal }, options)
  }

  async function exchange(cid: CID, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    let response = await request(cid, '?format=raw', rawBlock, signal)
    if (cid.code !== dagPbCodec && noBlockSupport.has(response.status)) {
      await drop(response)
      // A raw block is the file itself, which any gateway serves.
      response = await request(cid, '', wholeFile, signal)
    }
    if (response.status !== 200 || !response.body) {
      await drop(response)
      throw refusal(response)
    }
    try {
      const expected = lengthOf(response)
      return await collectBlock(cid, response.body, { maxBytes, expected })
    } catch (error) {
      await drop(response)
      if (!(error instanceof BadBlock) || error.code !== 'other') throw error
      const type = response.headers.get('content-type') ?? ''
      if (cid.code !== dagPbCodec || type.startsWith(rawBlock.accept)) throw error
      throw new BadBlock(
        'other',
        `${error.message}: perhaps it serves whole files instead of blocks`,
      )
    }
  }

  return {
    host: home.host,
    async block(cid, maxBytes, signal) {
      const limit = linkedSignal(signal)
      limit.abortAfter(options.timeoutMs)
      try {
        return await exchange(cid, maxBytes, limit.signal)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof GatewayFailure) throw error
        if (error instanceof BadBlock) {
          const tooLarge = error.code === 'size'
          throw new GatewayFailure(error.message, { blamed: !tooLarge, tooLarge })
        }
        const why = limit.signal.aborted
          ? `took longer than ${options.timeoutMs} ms`
          : `could not be reached${codeOf(error)}`
        throw new GatewayFailure(why, { blamed: true, cause: error })
      } finally {
        limit.release()
      }
    },
  }
}

function refusal({ status, headers }: Response): GatewayFailure {
  if (status === 404 || status === 410) {
    return new GatewayFailure('does not have it', { blamed: false })
  }
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const wait = (status === 429 || status === 503) && seconds > 0
  return new GatewayFailure(`returned status ${status}`, {
    blamed: status === 429 || status >= 500,
    ...(wait ? { retryAfterMs: Math.min(seconds * 1_000, maxRetryAfterMs) } : {}),
  })
}

/** The declared length; undefined for a compressed response. */
function lengthOf({ headers }: Response): number | undefined {
  const length = Number(headers.get('content-length') ?? 0)
  return length > 0 && !headers.has('content-encoding') ? length : undefined
}

async function drop(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {})
}

/** ` (ECONNREFUSED)`: the first code of an error and its causes. */
function codeOf(error: unknown): string {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause) {
    depth += 1
    if ('code' in each && typeof each.code === 'string') return ` (${each.code})`
  }
  return ''
}
