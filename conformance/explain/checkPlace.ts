import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
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
    return constants.join('').includes('.') && form.test(id) ? length : 0
  })
  return Math.max(0, ...fits)
}

/**
 * Where a check is written, as `conformance/checks/4.1-conventions.ts:47`: the line with its id, or with
 * the template that composes it. Undefined where the sources are not there.
 */
export function checkPlace(id: string, root: string = suite): string | undefined {
  const lines = folders.flatMap((folder) => filesIn(join(root, folder))).flatMap(linesIn)
  const literal = lines.find(({ text }) => text.includes(`'${id}'`))
  const composed = () => {
    const fits = lines.map((line) => [line, fitOf(line, id)] as const)
    const [best] = fits.filter(([, fit]) => fit > 0).sort(([, a], [, b]) => b - a)
    return best?.[0]
  }
  const found = literal ?? composed()
  if (found === undefined) return undefined
  const path = relative(dirname(root.replace(/[\\/]$/, '')), found.file)
  return `${path.split(sep).join('/')}:${found.number}`
}
