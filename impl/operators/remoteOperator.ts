import type { Address, Bytes32 } from '../protocol/scalars.ts'
import type { Operator } from './operator.ts'
import { operatorUnreachable } from './operatorErrors.ts'
import { fromWireError, operatorBodyLimit, operatorPaths } from './wire.ts'

export type RemoteOperatorOptions = {
  /** Without a path. */
  readonly url: string
  readonly token: string
  readonly address: Address
  readonly id: Bytes32
  readonly fetch: typeof fetch
}

/** An operator in a process of its own, as the gateway sees it. */
export function remoteOperator({
  url,
  token,
  address,
  id,
  fetch,
}: RemoteOperatorOptions): Operator {
  const call =
    <Request, Answer>(path: string) =>
    async (request: Request, signal: AbortSignal): Promise<Answer> => {
      const body = await post(path, JSON.stringify(request), signal)
      if ('error' in body) throw fromWireError(body.error)
      return body.answer as Answer
    }

  async function post(
    path: string,
    body: string,
    signal: AbortSignal,
  ): Promise<{ answer: unknown } | { error: unknown }> {
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
        signal,
      })
      if (!response.ok) throw operatorUnreachable(`HTTP ${response.status}`)
      const told: unknown = JSON.parse(await boundedText(response))
      if (typeof told === 'object' && told !== null) return told as { answer: unknown }
      throw operatorUnreachable('it answered nothing')
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof Error && error.name === 'ServiceError'
        ? error
        : operatorUnreachable('connection failed', error)
    }
  }

  return {
    address,
    id,
    collectData: call(operatorPaths.collectData),
    evaluate: call(operatorPaths.evaluate),
    sign: call(operatorPaths.sign),
    checkSecrets: call(operatorPaths.checkSecrets),
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
