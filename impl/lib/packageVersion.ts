import { readFileSync } from 'node:fs'

const manifest = readFileSync(new URL('./package.json', import.meta.url), 'utf8')

/** The release version, shared by all packages of this repository. */
export const { version: packageVersion } = JSON.parse(manifest) as { readonly version: string }
