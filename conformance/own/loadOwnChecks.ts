import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Check } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { TaggedCheck } from '../core/tags.ts'
import type { OwnCheck } from './ownCheck.ts'

/** A module of checks as a thread loads it; can be cloned. */
export type OwnModule = { readonly url: string; readonly file: string; readonly sha256: string }

export type OwnChecks = {
  readonly checks: readonly Check[]
  readonly modules: readonly OwnModule[]
  /** Removes what was compiled; call it when no thread will load the modules any more. */
  readonly close: () => void
}

const mostChecks = 5_000

export const noOwnChecks: OwnChecks = { checks: [], modules: [], close: () => undefined }

/** What own checks need: HTTP, WebSocket and more, which commands without them do not load. */
const tools = async () => ({
  ...(await import('./asCheck.ts')),
  ...(await import('./findFiles.ts')),
  ...(await import('./importModules.ts')),
  ...(await import('./validateCheck.ts')),
})

/**
 * Loads the checks of a gateway itself.
 * @param patterns files, folders or glob patterns, relative to `cwd`
 * @param suite the checks of the suite, with whose names theirs must not collide
 * @throws CannotRun with the file, where one cannot be loaded or a check is invalid
 */
export async function loadOwnChecks(
  patterns: readonly string[] | undefined,
  cwd: string,
  suite: readonly TaggedCheck[],
): Promise<OwnChecks> {
  if (patterns === undefined || patterns.length === 0) return noOwnChecks
  const { asCheck, checksOf, findFiles, importModules, shownPath, suiteNames } = await tools()
  const { modules, close } = await importModules(findFiles(patterns, cwd), cwd)
  try {
    const names = suiteNames(suite)
    const known = new Map<string, string>()
    const loaded = modules.map(({ path, url, exports }) => {
      const file = shownPath(path, cwd)
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
      const own: OwnModule = { url, file, sha256 }
      const checks = checksOf(exports, file, names).map((check) => asCheck(check, { file, sha256 }))
      for (const { id } of checks) {
        const other = known.get(id)
        if (other !== undefined)
          throw new CannotRun(`${file}: the id '${id}' is also that of a check in ${other}`)
        known.set(id, file)
      }
      return { own, checks }
    })
    const checks = loaded.flatMap((each) => each.checks)
    if (checks.length > mostChecks)
      throw new CannotRun(`--checks has ${checks.length} checks, more than ${mostChecks}`)
    return { checks, modules: loaded.map(({ own }) => own), close }
  } catch (error) {
    close()
    throw error
  }
}

/** The same checks in a thread: they were validated where they were loaded first. */
export async function importOwnChecks(modules: readonly OwnModule[]): Promise<readonly Check[]> {
  const checks: Check[] = []
  if (modules.length === 0) return checks
  const { asCheck, exportedChecks } = await tools()
  for (const { url, file, sha256 } of modules) {
    const exports = (await import(url)) as Readonly<Record<string, unknown>>
    for (const check of exportedChecks(exports))
      checks.push(asCheck(check as unknown as OwnCheck, { file, sha256 }))
  }
  return checks
}
