import type { BuiltinContext } from '../builtins/builtin.ts'
import { budget } from '../values/limits.ts'
import { parseJson } from '../values/parseJson.ts'
import type { Value } from '../values/value.ts'

/** Parses a data file, JSON or YAML by its name, with exact integers. @throws JsonError, BuiltinError, RegoError */
export async function parseDocument(path: string, text: string): Promise<Value> {
  return /\.ya?ml$/.test(path) ? parseYaml(text) : parseJson(text, { written: true })
}

/** As `yaml.unmarshal` does. */
async function parseYaml(text: string): Promise<Value> {
  const { yamlBuiltins } = await import('../builtins/yaml.ts')
  const unmarshal = yamlBuiltins.find(({ name }) => name === 'yaml.unmarshal')
  const context: BuiltinContext = {
    nowNs: 0n,
    random: { bytes: (_, count) => new Uint8Array(count) },
    memo: new Map(),
    meter: budget({ units: 1e9, bytes: 1e9 }),
  }
  return unmarshal?.call(context, text) ?? null
}
