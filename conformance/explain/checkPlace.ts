import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const suite = fileURLToPath(new URL('..', import.meta.url))

/** Checks, and what composes the ids of checks that differ in one value. */
const folders = ['checks', 'kit/scenarios', 'model']

type Line = { readonly file: string; readonly number: number; readonly text: string }

/** The sources are not part of every installation. */
function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.ts'))
    return names.sort().map((name) => join(folder, name))
  } catch {
    return []
  }
}

const linesIn = (file: string): readonly Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((text, i) => ({ file, number: i + 1, text }))

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The constant characters of the template literals of a line that can give the id; 0 for none. */
function fitOf({ text }: Line, id: string): number {
  const literals = [...text.matchAll(/`([^`]*\$\{[^`]*)`/g)].map(([, literal]) => literal!)
  const fits = literals.map((literal) => {
    const constants = literal.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
    const form = new RegExp(`^${constants.map(escaped).join('.+')}$`)
    const length = constants.join('').length
    return length > 4 && constants.join('').includes('.') && form.test(id) ? length : 0
  })
  return Math.max(0, ...fits)
}

/** The line with the id, or with the template that fits it best. */
function lineOf(id: string, lines: readonly Line[]): Line | undefined {
  const literal = lines.find(({ text }) => text.includes(`'${id}'`))
  if (literal !== undefined) return literal
  const fits = lines.map((line) => [line, fitOf(line, id)] as const)
  const [best] = fits.filter(([, fit]) => fit > 0).sort(([, a], [, b]) => b - a)
  return best?.[0]
}

/**
 * Where a check is written, as `conformance/checks/4.1-conventions.ts:47`: the line with its id, or with
 * the template that composes it, in its file or else in what composes checks. Only the file, where no
 * line is found; undefined where the sources are not there.
 */
export function checkPlace(
  { id, file }: { readonly id: string; readonly file?: string },
  root: string = suite,
): string | undefined {
  const files = folders.flatMap((folder) => filesIn(join(root, folder)))
  if (files.length === 0) return undefined
  const own = files.filter((path) => basename(path) === basename(file ?? ''))
  const found = lineOf(id, own.flatMap(linesIn)) ?? lineOf(id, files.flatMap(linesIn))
  if (found === undefined) return file
  const path = relative(dirname(root.replace(/[\\/]$/, '')), found.file)
  return `${path.split(sep).join('/')}:${found.number}`
}
