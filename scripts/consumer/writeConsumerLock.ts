import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Entry = { resolved?: string; integrity?: string }

/**
 * Resolves the dependencies of a project and writes its lock file, without the address of a registry, and
 * without the checksums of the tarballs beside it, which differ for each build.
 */
export function writeConsumerLock(project: string): void {
  // npm would keep what an earlier tarball of the same name depends on.
  rmSync(join(project, 'package-lock.json'), { force: true })
  execFileSync(
    'npm',
    [
      ...['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'],
      '--omit-lockfile-registry-resolved',
    ],
    { cwd: project, stdio: 'inherit' },
  )
  const path = join(project, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> }
  for (const entry of Object.values(lock.packages)) {
    if (entry.resolved?.startsWith('file:')) delete entry.integrity
  }
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
}
