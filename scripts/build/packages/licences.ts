import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { root } from './bundle.ts'

/** The licences of all packages with a module in a bundle: name, version, text. */
export const licencesOf = (inputs: readonly string[]): string =>
  [...new Set(inputs.flatMap((input) => packageOf.exec(input)?.[0] ?? []))]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`)

/** The folder of the innermost package that a module is in. */
const packageOf = /^.*node_modules\/(@[^/]+\/)?[^/]+/

function licenceOf(directory: string): string {
  const manifest = JSON.parse(readFileSync(`${root}${directory}/package.json`, 'utf8'))
  const file = readdirSync(`${root}${directory}`).find((name) =>
    /^(licen[cs]e|copying)/i.test(name),
  )
  const text =
    file !== undefined && existsSync(`${root}${directory}/${file}`)
      ? readFileSync(`${root}${directory}/${file}`, 'utf8').trim()
      : `Licence: ${manifest.license ?? 'not stated'}`
  return `${manifest.name} ${manifest.version} (${manifest.license ?? 'not stated'})\n\n${text}\n`
}
