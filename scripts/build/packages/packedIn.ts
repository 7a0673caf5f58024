import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageDefinitions } from './definitions.ts'
import { readManifest } from './manifest.ts'
import { folderOf, type Packed } from './packAll.ts'

/**
 * The packages that `npm run pack -- --out FOLDER` has packed.
 * @throws Error where one is missing, or is of another version
 */
export function packedIn(into: string): Packed[] {
  return packageDefinitions.map((definition) => {
    const manifest = readManifest(definition.directory)
    const [name, version] = [String(manifest.name), String(manifest.version)]
    const tarball = join(into, `${name}-${version}.tgz`)
    if (!existsSync(tarball))
      throw new Error(`${tarball} is missing: run npm run pack -- --out ${into}`)
    return { definition, name, version, folder: folderOf(definition, into), tarball }
  })
}
