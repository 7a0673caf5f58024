import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The policies of this repository. */
export const policyFiles = (): string[] =>
  ['fixtures', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.rego') && !name.includes('node_modules'))
      .map((name) => join(root, folder, name)),
  )
