import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { PackageDefinition } from '../definitions.ts'
import type { Packed } from '../packAll.ts'
import type { OrdinaryUser } from './ordinaryUser.ts'

/** Folders of a try, and what the ordinary user has in its environment. */
export type Place = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Tarballs where the user can read them, by the name of their package. */
  readonly tarballs: ReadonlyMap<string, string>
  /** A new, empty folder of the user. */
  readonly empty: (name: string) => string
  readonly remove: () => void
}

/** Outside this repository, so that nothing of it is found by accident. */
export function makePlace(
  user: OrdinaryUser,
  packed: readonly Pick<Packed, 'name' | 'tarball'>[],
): Place {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tarballs-'))
  chmodSync(folder, 0o755)
  const tarballs = new Map<string, string>()
  mkdirSync(join(folder, 'packed'))
  for (const { name, tarball } of packed) {
    if (tarball === undefined) throw new Error(`${name} was not packed`)
    const copy = join(folder, 'packed', basename(tarball))
    copyFileSync(tarball, copy)
    tarballs.set(name, copy)
  }
  const empty = (name: string) => {
    const made = join(folder, name)
    mkdirSync(made)
    user.owns(made)
    return made
  }
  return {
    folder,
    tarballs,
    empty,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: empty('home'),
      TMPDIR: empty('tmp'),
      npm_config_cache: empty('npm-cache'),
      npm_config_registry: execFileSync('npm', ['config', 'get', 'registry'], {
        encoding: 'utf8',
      }).trim(),
    },
    // What is read-only is so for its owner too, on a machine where that is not root.
    remove: () => {
      execFileSync('chmod', ['-R', 'u+w', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The tarball of a package, and those of packages here that it depends on. */
export const tarballsFor = (
  { tarballs }: Place,
  name: string,
  { dependencies = [] }: PackageDefinition,
): string[] => [name, ...dependencies].flatMap((each) => tarballs.get(each) ?? [])

/** An empty project of the user that installs packages; nobody can write them after that. */
export async function projectWith(
  { empty, env }: Place,
  user: OrdinaryUser,
  { name, packages }: { readonly name: string; readonly packages: readonly string[] },
): Promise<string> {
  const cwd = empty(name)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  user.owns(cwd)
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts']
  await user.run([...install, ...packages], { cwd, env })
  makeReadOnly(join(cwd, 'node_modules'))
  return cwd
}

export function makeReadOnly(modules: string): void {
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', '0:0', modules])
  execFileSync('chmod', ['-R', 'a-w', modules])
}

/** Size of all files of a folder, bytes. */
export const bytesOf = (folder: string): number =>
  Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
