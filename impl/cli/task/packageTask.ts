import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import { parseJson, readText } from '../policy/inputFiles.ts'
import { publishedOn } from '../publish/publication.ts'
import { chainOf, type ServiceTarget } from '../stack/serviceTarget.ts'
import type { IntentOptions } from './intentOptions.ts'

/**
 * What a published package says about a task: its client, the intent of its file, and the arguments of its oracles,
 * which a task gives to all of them together.
 *
 * @throws CommandError
 */
export async function packageTask(
  folder: string,
  target: ServiceTarget,
): Promise<IntentOptions & { readonly wasmArgs?: string }> {
  const given = await loadPolicyPackage(folder)
  const { client } = await publishedOn(given.directory, {
    ...chainOf(target),
    pid: target.stack?.pid,
  })
  const intent =
    given.intent === undefined
      ? {}
      : (parseJson(given.intent, await readText(given.intent)) as Readonly<Record<string, string>>)
  const args = given.oracles.flatMap(({ wasmArgs }) =>
    wasmArgs === undefined ? [] : [JSON.parse(wasmArgs.text) as object],
  )
  return {
    ...(client === undefined ? {} : { client: client.address }),
    ...(intent.to === undefined ? {} : { to: intent.to }),
    ...(intent.from === undefined ? {} : { from: intent.from }),
    ...(intent.value === undefined ? {} : { value: String(BigInt(intent.value)) }),
    ...(intent.data === undefined ? {} : { data: intent.data }),
    ...(args.length === 0 ? {} : { wasmArgs: JSON.stringify(Object.assign({}, ...args)) }),
  }
}
