import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import { ContentError } from '../content/contentError.ts'
import type { ContentStore } from '../content/contentStore.ts'
import { type CompileCheck, createCompileCheck } from './compileCheck.ts'
import { noMetadata, type PolicyMetadata, parsePolicyMetadata } from './policyMetadata.ts'

/** What the explorer shows of a policy besides its event (section 2.10). */
export type PolicyContents = PolicyMetadata & {
  /** Whether its source was found and compiles with its entrypoint; null: it could not be had. */
  readonly verified: boolean | null
}

export type PolicyDescriber = {
  /**
   * Looks into the contents that a policy names.
   *
   * @param info as `PolicyInfoView`
   * @returns `complete`: whether another try would come to the same
   * @throws the signal's reason
   */
  describe(
    info: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly contents: PolicyContents; readonly complete: boolean }>
  close(): Promise<void>
}

export type PolicyDescriberOptions = {
  /** Need not give more than `maxSourceBytes`. */
  readonly content: Pick<ContentStore, 'get'>
  /** Of the extensions, such as `service` (decision E13). */
  readonly regoNamespace: string
  /** CPU time to compile one policy, milliseconds. Default 10,000. */
  readonly workMs?: number | undefined
  /** For both contents of one policy, milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined
}

/** Of a policy's source (decisions, section 9): no larger content need be had. */
export const maxSourceBytes = 512 * 1024
/** Of what describes it. */
const maxMetadataBytes = 64 * 1024

/** A content, or why there is none: `never` when no other try would have it. */
type Found = Uint8Array | 'never' | 'later'

/** Contents are looked at in another thread where strangers could hold this one up. */
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
      const told = typeof metadata === 'string' ? noMetadata : parsePolicyMetadata(metadata)
      return {
        contents: { ...told, verified: verified === 'later' ? null : verified },
        complete: metadata !== 'later' && verified !== 'later',
      }
    },
    close: () => check.close(),
  }
}
