import { stringify } from 'polgate-rego/values/json.ts'
import type { Answer } from './answers.ts'
import { called } from './callsOf.ts'

/** What two answers have in common although they differ.  */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

const both = (ours: Answer, theirs: Answer, like: (a: Json, b: Json) => boolean): boolean =>
  ours.kind === 'value' && theirs.kind === 'value' && like(parsed(ours.text), parsed(theirs.text))

/** JSON, in which numbers of more digits than a float has are texts. */
const parsed = (text: string): Json =>
  JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
      token.startsWith('"') || token.length < 16 ? token : `"${token}"`,
    ),
  ) as Json

/** The same but for the last digits of numbers. */
export const sameButDigits = (ours: Answer, theirs: Answer): boolean => both(ours, theirs, near)

function near(a: Json, b: Json): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    return Math.abs(a - b) <= 1e-14 * Math.max(Math.abs(a), Math.abs(b))
  }
  if (typeof a === 'string' && typeof b === 'string') return rounded(a) === rounded(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [ones, others] = [a, b].map((value) =>
    Object.entries(value)
      .map(([name, each]) => [rounded(name), each] as const)
      .sort(([x], [y]) => (x < y ? -1 : 1)),
  ) as [[string, Json][], [string, Json][]]
  return (
    ones.length === others.length &&
    ones.every(([name, each], i) => name === others[i]![0] && near(each, others[i]![1]))
  )
}

/** Numbers in a text in one form, to fewer digits. */
const rounded = (text: string): string =>
  text.replace(/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (number) => Number(number).toPrecision(14))

const member = (value: object, name: string): Json =>
  (value as Readonly<Record<string, Json>>)[name]!

/** The same but for empty objects and arrays; of an object, only in the members that `isOpen` names. */
export const sameButEmpty = (
  ours: Answer,
  theirs: Answer,
  isOpen: (name: string) => boolean,
): boolean =>
  both(ours, theirs, (a, b) => {
    const [own, other] = [a, b].map((value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      const members = Object.entries(value).flatMap(([name, each]) => {
        const rest = isOpen(name) ? filled(each) : each
        return rest === undefined ? [] : [[name, rest] as const]
      })
      return Object.fromEntries(members)
    })
    return JSON.stringify(own) === JSON.stringify(other)
  })

function filled(value: Json): Json | undefined {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.length === 0 ? undefined : value
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const rest = filled(each)
    return rest === undefined ? [] : [[name, rest] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Of the same arrays and objects, with the same names and other scalars. */
export const sameNames = (ours: Answer, theirs: Answer): boolean =>
  both(
    ours,
    theirs,
    (a, b) => JSON.stringify(withoutScalars(a)) === JSON.stringify(withoutScalars(b)),
  )

function withoutScalars(value: Json): Json {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.map((each) => withoutScalars(each))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutScalars(each)]),
  )
}

/** The same but for the order of items in arrays. */
export const sameButOrder = (ours: Answer, theirs: Answer): boolean =>
  both(ours, theirs, (a, b) => JSON.stringify(ordered(a)) === JSON.stringify(ordered(b)))

function ordered(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, ordered(each)]))
  const items = value.map((each) => ordered(each))
  return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Whether an array in a value has arrays and objects as items. */
export function hasArraysBesideObjects(answer: Answer): boolean {
  let has = false
  if (answer.kind === 'value')
    JSON.parse(answer.text, (_, value: unknown) => {
      if (Array.isArray(value))
        has ||= value.some(Array.isArray) && value.some((each) => isObject(each))
      return value
    })
  return has
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Theirs has fewer members. */
export const theirsIsPart = (ours: Answer, theirs: Answer): boolean =>
  both(ours, theirs, (a, b) => isPart(b, a))

function isPart(part: Json, whole: Json): boolean {
  if (typeof part !== 'object' || part === null) return part === whole
  if (typeof whole !== 'object' || whole === null) return false
  if (Array.isArray(part)) return JSON.stringify(part) === JSON.stringify(whole)
  return Object.keys(part).every(
    (name) => Object.hasOwn(whole, name) && isPart(member(part, name), member(whole, name)),
  )
}

/** Both are values, and theirs has more in it. */
export const theirsIsLonger = (ours: Answer, theirs: Answer): boolean =>
  ours.kind === 'value' && theirs.kind === 'value' && theirs.text.length > ours.text.length

/** The same but for texts that are the same YAML documents. */
export const sameDocuments = (ours: Answer, theirs: Answer): boolean =>
  both(ours, theirs, (a, b) => linesOf(asDocuments(a)) === linesOf(asDocuments(b)))

/** Only YAML 1.1 ends lines at these, and its writers indent the rest. */
const linesOf = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0085\u2028\u2029] *| +(?=")/g, ' ')

function asDocuments(value: Json): unknown {
  if (typeof value === 'string') {
    return value.endsWith('\n') ? documentOf(value) : value
  }
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value)
    ? value.map(asDocuments)
    : Object.entries(value).map(([name, each]) => [asDocuments(name), asDocuments(each)])
}

/** The document that a text is, or the text if it is none. */
function documentOf(text: string): string {
  const document = called('yaml.unmarshal', text)
  return document === undefined ? text : stringify(document)
}
