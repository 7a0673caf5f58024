import { jsonPlace } from './jsonPlace.ts'
import type { TextFile } from './policyPackage.ts'

/** Stands for a value that the author has to write, as `fillIn` does in mocks: `{"fillIn": "number: the limit"}`. */
export type Placeholder = { readonly fillIn: string }

export const isPlaceholder = (value: unknown): value is Placeholder =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  typeof (value as Partial<Placeholder>).fillIn === 'string'

/** What is still to be filled in, with its place: `params.json:2:12 max: number`. */
export function placeholdersIn(file: TextFile): readonly string[] {
  const found: string[] = []
  const todo: (readonly [pointer: string, value: unknown])[] = [['', parsed(file.text)]]
  while (todo.length > 0) {
    const [at, value] = todo.pop()!
    if (isPlaceholder(value)) {
      const name = at.slice(at.lastIndexOf('/') + 1) || 'the document'
      found.push(`${jsonPlace(file, at)} ${name}: ${value.fillIn.slice(0, 200)}`)
    } else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value).reverse())
        todo.push([`${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, member])
  }
  return found
}

/** Arguments of an oracle may be any text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
