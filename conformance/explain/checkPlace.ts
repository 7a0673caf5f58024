import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** The sources are not part of every installation. */
function linesOf(path: string): readonly string[] | undefined {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return undefined
  }
}

/**
 * Where a check is written, as `conformance/checks/4.1-conventions.ts:47`: the line of its file with its id.
 * Undefined where the sources are not there.
 */
export function checkPlace(
  { id, file }: { readonly id: string; readonly file?: string },
  root: string = repository,
): string | undefined {
  if (file === undefined) return undefined
  const line = linesOf(join(root, file))?.findIndex((text) => text.includes(`'${id}'`)) ?? -1
  return line === -1 ? undefined : `${file}:${line + 1}`
}
