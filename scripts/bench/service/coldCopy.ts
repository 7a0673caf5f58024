import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs `work` with a copy of the repository that has no caches, as after a clone and `npm ci`. */
export async function withColdCopy<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  try {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root }).toString().split('\0')
    for (const file of files.filter((name) => name !== '')) {
      await mkdir(join(directory, dirname(file)), { recursive: true })
      await cp(join(root, file), join(directory, file))
    }
    await linkPackages(directory)
    return await work(directory)
  } finally {
    // A process that is about to end may still write a bundle.
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/**
 * Links each package: the ones of this repository to the copy, since their caches are beside their
 * real path, and all others to the installed ones.
 */
async function linkPackages(directory: string): Promise<void> {
  const from = join(root, 'node_modules')
  const to = join(directory, 'node_modules')
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry
    if (name === '.cache') continue
    const target = entry.isSymbolicLink() ? await readlink(join(from, name)) : join(from, name)
    await symlink(target, join(to, name))
  }
}
