import { readFileSync } from 'node:fs'

const manifest = readFileSync(new URL('./package.json', import.meta.url), 'utf8')

/** The release of this project: all its packages have the same. */
export const { version: packageVersion } = JSON.parse(manifest) as { readonly version: string }
