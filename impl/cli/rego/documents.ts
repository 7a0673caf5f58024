import { BundleError } from 'polgate-rego/bundle/bundleError.ts'
import { mergeDocument } from 'polgate-rego/bundle/mergeDocument.ts'
import { parseDocument } from 'polgate-rego/bundle/parseDocument.ts'
import { BuiltinError, RegoError } from 'polgate-rego/errors.ts'
import { JsonError } from 'polgate-rego/values/parseJson.ts'
import { isObject, type ObjectValue, type Value } from 'polgate-rego/values/value.ts'
import { CommandError } from '../commandDefinition.ts'

export const isDataFile = (path: string): boolean => /\.(json|ya?ml)$/.test(path)

/** Parses JSON or YAML with exact integers. @throws CommandError */
export async function readDocument(path: string, text: string): Promise<Value> {
  try {
    return await parseDocument(path, text)
  } catch (cause) {
    const known =
      cause instanceof JsonError || cause instanceof BuiltinError || cause instanceof RegoError
    if (!known) throw cause
    const hint = cause instanceof JsonError ? jsonHint(text, cause.message) : undefined
    throw new CommandError(`${path}: ${cause.message}`, {
      cause,
      hint: hint ?? 'Correct the text at that place.',
    })
  }
}

function jsonHint(text: string, message: string): string | undefined {
  const offset = /at offset (\d+)/.exec(message)?.[1]
  if (offset === undefined) return undefined
  const before = text.slice(0, Number(offset)).split('\n')
  return `See row ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`
}

/** Merges a document into `data` recursively. @throws CommandError on conflicting values */
export function mergeInto(data: ObjectValue, document: Value, path: string): void {
  if (!isObject(document)) {
    throw new CommandError(`${path}: data must be an object`, {
      hint: 'Add a prefix: -d params:FILE loads it as data.params.',
    })
  }
  try {
    mergeDocument(data, document, path)
  } catch (cause) {
    if (!(cause instanceof BundleError)) throw cause
    const hint = 'Pass files individually, or skip some with --ignore "*.json".'
    throw new CommandError(cause.message, { cause, hint })
  }
}
