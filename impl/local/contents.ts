import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type PolicyFixture, policyFixtures } from '../../fixtures/catalogue.ts'
import { type BuildProgress, buildOracle } from '../../fixtures/oracles/build.ts'
import type { ContentStore } from '../content/contentStore.ts'

/** Content ids of everything that the fixtures put on chain. */
export type Contents = {
  readonly policies: Readonly<
    Record<
      string,
      { readonly policy: string; readonly paramsSchema: string; readonly metadata: string }
    >
  >
  readonly oracles: Readonly<
    Record<string, { readonly wasm: string; readonly secretsSchema: string }>
  >
}

/** Puts sources, schemas and components into a content store; what has to be built is built. */
export async function storeContents(
  store: ContentStore,
  onBuild: (progress: BuildProgress) => void,
): Promise<Contents> {
  const fixtures = policyFixtures()
  const json = (value: unknown) => store.put(Buffer.from(JSON.stringify(value)))
  const policies = fixtures.map(async (fixture) => {
    const [policy, paramsSchema, metadata] = await Promise.all([
      store.put(Buffer.from(fixture.source)),
      json(fixture.paramsSchema),
      json(metadataOf(fixture)),
    ])
    return [fixture.name, { policy, paramsSchema, metadata }] as const
  })
  const uses = new Map(fixtures.flatMap(({ oracles }) => oracles.map((use) => [use.name, use])))
  const oracles = [...uses.values()].map(async ({ name, secretsSchema }) => {
    const component = await buildOracle(name, { onProgress: onBuild })
    const [wasm, schema] = await Promise.all([
      store.put(component),
      secretsSchema === undefined ? '' : json(secretsSchema),
    ])
    return [name, { wasm, secretsSchema: schema }] as const
  })
  return {
    policies: Object.fromEntries(await Promise.all(policies)),
    oracles: Object.fromEntries(await Promise.all(oracles)),
  }
}

/** Whether a directory holds all of them. */
export const hasContents = (directory: string, contents: Contents): boolean =>
  [
    ...Object.values(contents.policies).flatMap((entry) => Object.values(entry)),
    ...Object.values(contents.oracles).flatMap((entry) => Object.values(entry)),
  ].every((cid) => cid === '' || existsSync(join(directory, cid)))

/** What an explorer shows of a policy (section 2.10). */
const metadataOf = ({ name, title }: PolicyFixture) => ({
  name,
  version: '1.0.0',
  author: 'fixtures',
  description: title,
})
