import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import {
  type Changes,
  packageArguments,
  readIntent,
  sharedArguments,
} from '../package/resolvedCase.ts'
import { publishedOn } from '../publish/publication.ts'
import { chainOf, type ServiceTarget } from '../stack/serviceTarget.ts'

/** What a published package says about a task. */
export type PackageTask = {
  /** Address of its policy client; undefined if none was published. */
  readonly client: string | undefined
  /** Members of its intent, as the wire has them. */
  readonly intent: Changes
  /** Arguments for all oracles together; undefined for none. */
  readonly wasmArgs: string | undefined
}

/** @throws CommandError */
export async function packageTask(folder: string, target: ServiceTarget): Promise<PackageTask> {
  const given = await loadPolicyPackage(folder)
  const { client } = await publishedOn(given.directory, {
    ...chainOf(target),
    pid: target.stack?.pid,
  })
  return {
    client: client?.address,
    intent: await readIntent(given.intent),
    wasmArgs: sharedArguments(packageArguments(given.oracles)) || undefined,
  }
}
