import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type PackageDefinition, packageDefinitions } from './definitions.ts'
import { prepareStudio } from './studioFiles.ts'
import { writePackage } from './writePackage.ts'

export type Packed = {
  readonly definition: PackageDefinition
  readonly name: string
  readonly version: string
  /** Its folder, ready to be packed. */
  readonly folder: string
  /** Undefined unless it was packed. */
  readonly tarball?: string
}

/**
 * Writes packages below a folder.
 *
 * @param tarballs whether to pack them too, into the same folder
 * @param directories of the definitions; all by default
 * @param declarations whether with those of their types; by default they are
 * @throws Error for an unknown directory, or where a package cannot be built
 */
export async function packAll(
  into: string,
  {
    tarballs,
    directories = [],
    declarations = true,
  }: { tarballs: boolean; directories?: readonly string[]; declarations?: boolean },
): Promise<Packed[]> {
  const known = packageDefinitions.map(({ directory }) => directory)
  const unknown = directories.filter((directory) => !known.includes(directory))
  if (unknown.length > 0)
    throw new Error(`unknown package: ${unknown.join(', ')} (known: ${known.join(', ')})`)
  mkdirSync(into, { recursive: true })
  await prepareStudio()
  const packed: Packed[] = []
  for (const definition of packageDefinitions) {
    if (directories.length > 0 && !directories.includes(definition.directory)) continue
    const folder = folderOf(definition, into)
    const { name, version } = await writePackage(definition, folder, { declarations })
    if (!tarballs) {
      packed.push({ definition, name, version, folder })
      continue
    }
    const [{ filename, size, unpackedSize }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    console.log(`${name} ${version}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`)
    packed.push({ definition, name, version, folder, tarball: join(into, filename) })
  }
  return packed
}

/** Where a package is written below a folder. */
export const folderOf = ({ directory }: PackageDefinition, into: string): string =>
  join(into, directory.replaceAll('/', '-'))

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`
