import { type TSchema, Type } from '@sinclair/typebox'
import type { Address } from '../protocol/scalars.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import { HolderStatus, type KeyHolder } from '../threshold/keyHolder.ts'
import { SealedPartial } from '../threshold/opening.ts'
import { Signed, validatorOf } from '../threshold/signed.ts'
import { keySharePaths } from './keySharePaths.ts'
import { operatorUnreachable } from './operatorErrors.ts'
import { fromWireError, operatorBodyLimit } from './wire.ts'

export type RemoteKeyHolderOptions = {
  /** Without a path. */
  readonly url: string
  readonly token: string
  readonly address: Address
  readonly fetch: typeof fetch
}

const answerOf = <T extends TSchema>(schema: T) => validatorOf(Type.Object({ answer: schema }))
const statusAnswer = answerOf(HolderStatus)
const signedAnswer = answerOf(Signed)
const partialAnswer = answerOf(SealedPartial)

/** An operator in a process of its own, as one of those who share a key. Its answers are checked. */
export function remoteKeyHolder({ url, token, address, fetch }: RemoteKeyHolderOptions): KeyHolder {
  const call =
    <Answer>(path: string, read: (body: unknown) => { answer: Answer }) =>
    async (request: unknown, signal: AbortSignal): Promise<Answer> => {
      const body = await post(path, JSON.stringify(request), signal)
      if (typeof body === 'object' && body !== null && 'error' in body)
        throw fromWireError(body.error)
      return read(body).answer
    }

  async function post(path: string, body: string, signal: AbortSignal): Promise<unknown> {
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal,
      })
      if (response.status === 404)
        throw operatorUnreachable('it shares no key: its configuration has no threshold')
      if (!response.ok) throw operatorUnreachable(`HTTP ${response.status}`)
      return JSON.parse(await boundedText(response))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof ServiceError ? error : operatorUnreachable('connection failed', error)
    }
  }

  const status = call(keySharePaths.status, statusAnswer)
  return {
    address,
    status: (signal) => status({}, signal),
    generate: call(keySharePaths.generate, signedAnswer),
    complete: call(keySharePaths.complete, statusAnswer),
    open: call(keySharePaths.open, partialAnswer),
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > operatorBodyLimit) throw operatorUnreachable('its answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
