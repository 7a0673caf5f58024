import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import type { SecretsByOracle } from 'polgate-service/oracles/recording/redactRecording.ts'
import type { StackMocks } from './mockStack.ts'

/** Mocks of a stack that another process replaces, such as `polgate dev`. */
export type ReplaceableMocks = StackMocks & {
  /** The files that answer now, before those that the stack was started with. */
  files(): readonly string[]
  /** Replaces them; the ones before stay if these cannot be read. @throws CommandError, RecordingError */
  set(files: readonly string[]): Promise<void>
}

/**
 * @param base what the stack was started with
 * @param secrets as of `mockStack`
 */
export function replaceableMocks(
  base: StackMocks | undefined,
  secrets: SecretsByOracle = new Map(),
): ReplaceableMocks {
  const changes = createSerialQueue()
  let now: { readonly files: readonly string[]; readonly mocks: StackMocks } | undefined

  async function replace(files: readonly string[]): Promise<void> {
    // Loaded only where mocks are replaced.
    const { mockStack } = await import('./mockStack.ts')
    const next = files.length === 0 ? undefined : { files, mocks: await mockStack(files, secrets) }
    const before = now
    now = next
    await before?.mocks.close()
  }

  return {
    egress(inner) {
      const usual = base?.egress(inner) ?? inner
      return {
        ...usual,
        connections: () => (now?.mocks.egress(usual) ?? usual).connections(),
      }
    },
    files: () => now?.files ?? [],
    set: (files) => changes.run(() => replace(files)),
    async close() {
      await changes.run(() => replace([]))
      await base?.close()
    },
  }
}
