import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { studioAssets } from 'polgate-studio/server/studioAssets.ts'
import { root } from '../contractArtifacts.ts'

const dist = 'impl/studio/dist'

/** Builds the page of Studio, if its sources have changed. */
export async function prepareStudio(): Promise<void> {
  await studioAssets()
}

/** The files of the built page, by path below the package; after `prepareStudio`. */
export function studioFiles(): ReadonlyMap<string, string> {
  const folder = join(root, dist)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name !== 'build.json')
    .map((each) => join(each.parentPath, each.name))
  return new Map(
    files.map((path) => [`files/${dist}/${relative(folder, path)}`, readFileSync(path, 'utf8')]),
  )
}
