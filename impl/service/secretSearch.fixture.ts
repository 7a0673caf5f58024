import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Every encoding in which a text may occur in a file or a log, by name. */
export function formsOf(text: string): ReadonlyMap<string, Buffer> {
  const bytes = Buffer.from(text, 'utf8')
  const hex = bytes.toString('hex')
  const utf16 = Buffer.from(text, 'utf16le')
  const forms = new Map<string, Buffer>([
    ['utf8', bytes],
    ['utf16le', utf16],
    ['utf16be', Buffer.from(utf16).swap16()],
    ['hex', Buffer.from(hex)],
    ['HEX', Buffer.from(hex.toUpperCase())],
    ['hex in utf16', Buffer.from(hex, 'utf16le')],
    ['bytes in JSON', Buffer.from([...bytes].join(','))],
    ['percent', Buffer.from([...bytes].map((byte) => `%${byte.toString(16)}`).join(''))],
  ])
  for (const before of [0, 1, 2])
    for (const encoding of ['base64', 'base64url'] as const)
      forms.set(`${encoding} ${before}`, Buffer.from(insideBase64(bytes, before, encoding)))
  return forms
}

/** The digits that do not depend on the surrounding bytes, with `before` bytes in front. */
function insideBase64(bytes: Buffer, before: number, encoding: 'base64' | 'base64url'): string {
  const padded = Buffer.concat([Buffer.alloc(before), bytes])
  const skipped = Math.ceil((before * 8) / 6)
  const whole = Math.floor((padded.length * 8) / 6)
  return padded.toString(encoding).slice(skipped, whole)
}

type Sought = { readonly label: string; readonly form: Buffer }
type Search = {
  /** By the first three bytes of the form, as a number. */
  readonly byStart: ReadonlyMap<number, readonly Sought[]>
  /** A bit for each possible start, set for those of `byStart`. */
  readonly starts: Uint8Array
}

const startOf = (form: Buffer): number => form.readUIntBE(0, 3)

/**
 * Finds all forms of all texts in one pass: two hundred of them, each sought for itself in a hundred
 * megabytes, would take ten seconds.
 */
function searchFor(texts: Readonly<Record<string, string>>): Search {
  const byStart = new Map<number, Sought[]>()
  const starts = new Uint8Array(2 ** 21)
  for (const [name, text] of Object.entries(texts)) {
    for (const [kind, form] of formsOf(text)) {
      const start = startOf(form)
      const others = byStart.get(start) ?? []
      byStart.set(start, [...others, { label: `${name} as ${kind}`, form }])
      starts[start >> 3]! |= 1 << (start & 7)
    }
  }
  return { byStart, starts }
}

/** What occurs in the content, as `place: name as form`. */
function foundIn(place: string, content: Buffer, { byStart, starts }: Search): string[] {
  const found = new Set<string>()
  let start = 0
  for (let end = 0; end < content.length; end++) {
    start = ((start << 8) | content[end]!) & 0xffffff
    if (((starts[start >> 3]! >> (start & 7)) & 1) === 0 || end < 2) continue
    for (const { label, form } of byStart.get(start) ?? []) {
      const at = end - 2
      if (content.subarray(at, at + form.length).equals(form)) found.add(`${place}: ${label}`)
    }
  }
  return [...found]
}

/** Where any of the texts occurs in any encoding, as `place: name as form`. */
export const findIn = (
  place: string,
  content: Buffer,
  texts: Readonly<Record<string, string>>,
): string[] => foundIn(place, content, searchFor(texts))

/** The same for every file of a directory, including the file names. */
export async function findInFiles(
  directory: string,
  texts: Readonly<Record<string, string>>,
): Promise<{ readonly files: number; readonly found: readonly string[] }> {
  const search = searchFor(texts)
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const found: string[] = []
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    const place = path.slice(directory.length + 1)
    found.push(...foundIn(place, await readFile(path), search))
    found.push(...foundIn('a file name', Buffer.from(place), search))
  }
  return { files: files.length, found }
}
