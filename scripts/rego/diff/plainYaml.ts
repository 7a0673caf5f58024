import { isArray, isComposite, isObject, type Value } from 'polgate-rego/values/value.ts'
import { isInteger, partsOf } from './callMatchers.ts'

/** Read by YAML 1.1 as something else than a text. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i

const isPlainText = (text: string): boolean =>
  text.length < 60 && /^[a-zA-Z][\w./-]*(?: [\w./-]+)*$/.test(text) && !RESERVED.test(text)

/** A value that every writer of YAML writes alike: without texts to be quoted, keys of other types, exponents. */
export function isPlainYaml(value: Value | undefined): boolean {
  if (value === undefined) return false
  if (typeof value === 'string') return isPlainText(value)
  if (value === null || typeof value === 'boolean') return true
  if (!isComposite(value)) return isInteger(value)
  if (isArray(value)) return value.every(isPlainYaml)
  if (isObject(value) && value.entries().some(([key]) => typeof key !== 'string')) return false
  return partsOf(value).every(isPlainYaml)
}
