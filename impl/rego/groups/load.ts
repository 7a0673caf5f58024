import { loadersOfNode } from '#groups'
import type { Builtin } from '../builtins/builtin.ts'
import { GROUPS } from './catalogue.ts'

/** Without the groups that need Node, elsewhere. */
const loaders: Readonly<Record<string, () => Promise<readonly Builtin[]>>> = {
  ...loadersOfNode,
  regex: async () => (await import('./regex.ts')).regex,
  time: async () => (await import('./time.ts')).time,
  semver: async () => (await import('./semver.ts')).semver,
  net: async () => (await import('./net.ts')).net,
  yaml: async () => (await import('./yaml.ts')).yaml,
  jsonSchema: async () => (await import('./jsonSchema.ts')).jsonSchema,
  templates: async () => (await import('./templates.ts')).templates,
  crypto: async () => (await import('./crypto.ts')).crypto,
  graphql: async () => (await import('./graphql.ts')).graphql,
}

/**
 * The groups that some policies and queries may need, by their text: perhaps more, never fewer. Only
 * these are loaded.
 */
export const loadBuiltins = (
  sources: readonly string[],
): Promise<readonly (readonly Builtin[])[]> =>
  Promise.all(
    GROUPS.filter(({ mentioned }) => sources.some((source) => mentioned.test(source))).flatMap(
      ({ name }) => loaders[name]?.() ?? [],
    ),
  )
