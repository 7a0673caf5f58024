import { createRequire } from 'node:module'

export const { version: packageVersion } = createRequire(import.meta.url)('../../package.json') as {
  version: string
}
