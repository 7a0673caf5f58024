import { componentFor, type HostNames, policyFor } from 'polgate-fixtures/hostNames.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { fileBlocks, unixFsV1 } from 'polgate-service/content/fileLayout.ts'
import { CommandError } from '../commandDefinition.ts'
import { packageProblems } from '../package/packageProblems.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { readComponent } from '../policy/inputFiles.ts'
import { note } from '../policy/notes.ts'

/** A file of a package under its content id. */
export type Content = { readonly name: string; readonly bytes: Uint8Array; readonly cid: string }

export type PackageContents = {
  readonly policy: Content
  readonly paramsSchema: Content | undefined
  /** In the order of the oracles. */
  readonly oracles: readonly {
    readonly id: string
    readonly component: Content
    readonly secretsSchema: Content | undefined
  }[]
}

/**
 * The files that a policy names on chain. Components are built. A service that has other names for its host
 * interface and Rego extensions gets contents with these.
 *
 * @param read the component of an oracle's source
 * @throws CommandError, also for a package with a problem
 */
export async function packageContents(
  given: PolicyPackage,
  names: HostNames,
  read = (source: string): Promise<Uint8Array> => readComponent(source, note),
): Promise<PackageContents> {
  const [problem] = await packageProblems(given)
  if (problem !== undefined) throw new CommandError(problem.message, { hint: problem.hint })
  const text = (name: string, file: { readonly text: string } | undefined) =>
    file && contentOf(name, Buffer.from(file.text))
  const oracles: PackageContents['oracles'][number][] = []
  for (const { id, source, secretsSchema } of given.oracles)
    oracles.push({
      id,
      component: contentOf(`oracle ${id}`, componentFor(names, await read(source))),
      secretsSchema: text(`secrets schema of ${id}`, secretsSchema),
    })
  return {
    policy: contentOf('policy', Buffer.from(policyFor(names, given.policy.text))),
    paramsSchema: text('params schema', given.paramsSchema),
    oracles,
  }
}

export const allContents = ({ policy, paramsSchema, oracles }: PackageContents): Content[] =>
  [
    policy,
    paramsSchema,
    ...oracles.flatMap(({ component, secretsSchema }) => [component, secretsSchema]),
  ].filter((each) => each !== undefined)

/** Stores the files; those that are there already stay. */
export async function storeContents(contents: PackageContents, directory: string): Promise<void> {
  const store = createContentStore({ directory })
  for (const { bytes } of allContents(contents)) await store.put(bytes)
}

/** Of bytes that were hashed: components have megabytes, and `dev` publishes again and again. */
const hashed = new WeakMap<Uint8Array, string>()

function contentOf(name: string, bytes: Uint8Array): Content {
  let cid = hashed.get(bytes) ?? ''
  if (cid === '') for (const block of fileBlocks(bytes, unixFsV1)) cid = String(block.cid)
  hashed.set(bytes, cid)
  return { name, bytes, cid }
}
