import type { Environment } from 'polgate-conformance/targets/environment.ts'
import { type PreparedTarget, targetOfStack } from 'polgate-conformance/targets/target.ts'
import { type Contents, storeContents } from 'polgate-fixtures/contents.ts'
import type { HostNames } from 'polgate-fixtures/hostNames.ts'
import type { BuildProgress } from 'polgate-fixtures/oracles/build.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { startEnvironment } from 'polgate-local/environment.ts'
import type { LocalStackOptions } from 'polgate-local/localStackOptions.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { serveContent } from 'polgate-service/content/serveContent.ts'
import { startChaosStack } from './localChaos.ts'

/** A stack of this machine, and the description that `polgate start` writes to a file. */
export type LocalTarget = PreparedTarget & { readonly description: StackDescription }

/** Starts the whole service on this machine; `close` ends all its processes. */
export async function localTarget(
  options: Pick<
    LocalStackOptions,
    'brand' | 'progress' | 'parts' | 'config' | 'storeThread' | 'signal' | 'threshold'
  > = {},
): Promise<LocalTarget> {
  const { description, close } = await startChaosStack({ ...options, secondNetwork: true })
  return { target: targetOfStack(description, 'local'), description, close }
}

/** Starts the environment of a gateway under test: chain, contracts, contents, oracle data. */
export const localEnvironment = (options: {
  readonly brand: Brand
  readonly progress?: (step: string) => void
  readonly signal?: AbortSignal | undefined
}): Promise<Environment> => startEnvironment(options)

/** The contents of the fixtures, in the store of this machine, built if necessary. */
export async function localContents(
  note: (text: string) => void,
  names: HostNames,
): Promise<{
  readonly contents: Contents
  readonly ipfs: (request: Request) => Promise<Response>
}> {
  const store = createContentStore({ directory: contentDirectory })
  const onBuild = ({ oracle, state }: BuildProgress) => {
    if (state === 'building') note(`building oracle ${oracle} (first use only)`)
  }
  const contents = await storeContents(store, onBuild, names)
  return { contents, ipfs: serveContent(store) }
}
