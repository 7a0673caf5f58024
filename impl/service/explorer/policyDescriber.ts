import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import { ContentError } from '../content/contentError.ts'
import type { ContentStore } from '../content/contentStore.ts'
import { type CompileCheck, createCompileCheck } from './compileCheck.ts'
import { noMetadata, type PolicyMetadata, parsePolicyMetadata } from './policyMetadata.ts'

/** Facts about a policy from its contents, in addition to its event (section 2.10). */
export type PolicyContents = PolicyMetadata & {
  /**
   * Whether its source was found and compiles with its entrypoint; null: the source is unavailable.
   */
  readonly verified: boolean | null
}

export type PolicyDescriber = {
  /**
   * Fetches and checks the contents of a policy.
   *
   * @param info as `PolicyInfoView`
   * @returns `complete`: false if a retry could have another result
   * @throws the signal's reason
   */
  describe(
    info: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly contents: PolicyContents; readonly complete: boolean }>
  close(): Promise<void>
}

export type PolicyDescriberOptions = {
  /** May reject contents larger than `maxSourceBytes`. */
  readonly content: Pick<ContentStore, 'get'>
  /** Namespace of the extensions, such as `service` (decision E13). */
  readonly regoNamespace: string
  /** CPU time limit to compile one policy, milliseconds. Default 10,000. */
  readonly workMs?: number | undefined
  /** Timeout for both contents of one policy, milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined
}

/** Maximum size of a policy's source (decisions, section 9). */
export const maxSourceBytes = 512 * 1024
/** Maximum size of its metadata. */
const maxMetadataBytes = 64 * 1024

/** A content, or why it is missing: `never` when a retry is useless. */
type Found = Uint8Array | 'never' | 'later'

/** Untrusted sources are compiled in another thread, so that they cannot block this one. */
export function createPolicyDescriber(options: PolicyDescriberOptions): PolicyDescriber {
  const { content, regoNamespace, workMs = 10_000, timeoutMs = 60_000 } = options
  const check: CompileCheck = createCompileCheck({ namespace: regoNamespace, workMs })

  async function find(cid: unknown, maxBytes: number, signal: AbortSignal): Promise<Found> {
    if (typeof cid !== 'string' || cid === '') return 'never'
    const own = linkedSignal(signal)
    own.abortAfter(timeoutMs)
    try {
      signal.throwIfAborted()
      const file = await content.get(cid, { signal: own.signal })
      return file.length > maxBytes ? 'never' : file
    } catch (error) {
      signal.throwIfAborted()
      return error instanceof ContentError && !error.retryable ? 'never' : 'later'
    } finally {
      own.release()
    }
  }

  async function verify(source: Found, entrypoint: unknown): Promise<boolean | 'later' | null> {
    if (source === 'later') return 'later'
    if (source === 'never') return null
    if (typeof entrypoint !== 'string') return false
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(source)
      return await check.compiles({ source: text, entrypoint })
    } catch (error) {
      return error instanceof TypeError ? false : 'later'
    }
  }

  return {
    async describe(info, signal) {
      const [metadata, source] = await Promise.all([
        find(info.metadata_cid, maxMetadataBytes, signal),
        find(info.policy_cid, maxSourceBytes, signal),
      ])
      const verified = await unlessAborted(signal, verify(source, info.entrypoint))
      const described = typeof metadata === 'string' ? noMetadata : parsePolicyMetadata(metadata)
      return {
        contents: { ...described, verified: verified === 'later' ? null : verified },
        complete: metadata !== 'later' && verified !== 'later',
      }
    },
    close: () => check.close(),
  }
}
