import { ContentError } from '../content/contentError.ts'
import type { ContentStore } from '../content/contentStore.ts'
import { regoFailed } from './operatorErrors.ts'

/**
 * The text of a policy or of the schema of its parameters.
 *
 * @param what names it in the error
 * @throws ServiceError -32615
 */
export async function policyText(
  content: Pick<ContentStore, 'get'>,
  cid: string,
  signal: AbortSignal,
  what = 'the policy',
): Promise<string> {
  try {
    return utf8.decode(await content.get(cid, { signal }))
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ContentError)) throw regoFailed(`${what} is not text`, error)
    throw regoFailed(`${what}: ${error.message}`, error, error.retryable)
  }
}

/** A byte order mark is not stripped: it is a parse error of the policy. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
