import { extname } from 'node:path'
import type { BuiltinContext } from 'polgate-rego/builtins/builtin.ts'
import { BuiltinError, RegoError } from 'polgate-rego/errors.ts'
import { budget } from 'polgate-rego/values/limits.ts'
import { JsonError, parseJson } from 'polgate-rego/values/parseJson.ts'
import { isObject, type ObjectValue, type Value } from 'polgate-rego/values/value.ts'
import { CommandError } from '../commandDefinition.ts'

export const isDataFile = (path: string): boolean => /\.(json|ya?ml)$/.test(path)

/** Parses JSON or YAML with exact integers. @throws CommandError */
export async function readDocument(path: string, text: string): Promise<Value> {
  try {
    return /\.ya?ml$/.test(extname(path))
      ? await readYaml(text)
      : parseJson(text, { written: true })
  } catch (cause) {
    const known =
      cause instanceof JsonError || cause instanceof BuiltinError || cause instanceof RegoError
    if (!known) throw cause
    const hint = cause instanceof JsonError ? jsonHint(text, cause.message) : undefined
    throw new CommandError(`${path}: ${cause.message}`, {
      cause,
      ...(hint === undefined ? {} : { hint }),
    })
  }
}

function jsonHint(text: string, message: string): string | undefined {
  const offset = /at offset (\d+)/.exec(message)?.[1]
  if (offset === undefined) return undefined
  const before = text.slice(0, Number(offset)).split('\n')
  return `See row ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`
}

/** Parses YAML like the engine's `yaml.unmarshal`. */
async function readYaml(text: string): Promise<Value> {
  const { yamlBuiltins } = await import('polgate-rego/builtins/yaml.ts')
  const unmarshal = yamlBuiltins.find(({ name }) => name === 'yaml.unmarshal')
  const context: BuiltinContext = {
    nowNs: 0n,
    random: { bytes: (_, count) => new Uint8Array(count) },
    memo: new Map(),
    meter: budget({ units: 1e9, bytes: 1e9 }),
  }
  return unmarshal?.call(context, text) ?? null
}

/** Merges a document into `data` recursively. @throws CommandError on conflicting values */
export function mergeInto(data: ObjectValue, document: Value, path: string): void {
  if (!isObject(document)) {
    throw new CommandError(`${path}: data must be an object`, {
      hint: 'Add a prefix: -d params:FILE loads it as data.params.',
    })
  }
  merge(data, document, [], path)
}

function merge(into: ObjectValue, from: ObjectValue, at: readonly string[], path: string): void {
  for (const [key, value] of from.entries()) {
    const before = into.get(key)
    const here = [...at, String(key)]
    if (before === undefined) {
      into.set(key, isObject(value) ? value.copy() : value)
    } else if (isObject(before) && isObject(value)) {
      const merged = before.copy()
      merge(merged, value, here, path)
      into.set(key, merged)
    } else {
      throw new CommandError(
        `${path}: data.${here.join('.')} already has a value from another file`,
        { hint: 'Pass files individually, or skip some with --ignore "*.json".' },
      )
    }
  }
}
