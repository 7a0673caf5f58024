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

/** Where any of the texts occurs in any encoding, as `place: name as form`. */
export function findIn(
  place: string,
  content: Buffer,
  texts: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    [...formsOf(text)]
      .filter(([, form]) => content.includes(form))
      .map(([form]) => `${place}: ${name} as ${form}`),
  )
}

/** The same for every file of a directory, including the file names. */
export async function findInFiles(
  directory: string,
  texts: Readonly<Record<string, string>>,
): Promise<{ readonly files: number; readonly found: readonly string[] }> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const found: string[] = []
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    const place = path.slice(directory.length + 1)
    found.push(...findIn(place, await readFile(path), texts))
    found.push(...findIn('a file name', Buffer.from(place), texts))
  }
  return { files: files.length, found }
}
