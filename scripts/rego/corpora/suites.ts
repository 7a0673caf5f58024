import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { type CommandRun, commandRun, type Engine } from './commandRun.ts'
import { differences, errorOutcomes } from './compared.ts'

export type Engines = Readonly<Record<'opa' | 'here', Engine>>

/** Both runs of one command line. */
export type Pair = Readonly<Record<'opa' | 'here', CommandRun>>

/** A folder of a repository, or the policies directly in one, which compile together. */
export type PolicySuite = { readonly name: string; readonly paths: readonly string[] }

export type Repository = {
  readonly name: string
  readonly root: string
  /** Options of all commands. */
  readonly options: readonly string[]
}

/** `DIR/NAME.capabilities.json` has the built-ins of the repository `DIR/NAME`. */
export function repositoryAt(root: string): Repository {
  const capabilities = `${root}.capabilities.json`
  const options = existsSync(capabilities) ? ['--capabilities', capabilities] : []
  return { name: basename(root), root, options }
}

export async function both(
  { opa, here }: Engines,
  args: readonly string[],
  cwd: string,
): Promise<Pair> {
  return { opa: await commandRun(opa, args, cwd), here: await commandRun(here, args, cwd) }
}

/** The policies below a folder, relative to the repository. */
export const policiesBelow = ({ root }: Repository, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.rego'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules'))
    .sort()

export type Discovered = {
  readonly suites: readonly PolicySuite[]
  /** Policies that `opa` refuses, alone as well. */
  readonly refused: readonly string[]
  readonly checked: number
  readonly different: readonly string[]
}

/** Folders to try in one repository at most. */
const MOST = 400

/**
 * The largest folders whose policies `opa` accepts together: one that it refuses is divided into its folders, and into the
 * policies directly in it. Every check runs here too.
 */
export async function discovered(engines: Engines, repository: Repository): Promise<Discovered> {
  const suites: PolicySuite[] = []
  const refused: string[] = []
  const different: string[] = []
  let checked = 0
  const accepts = async (paths: readonly string[]): Promise<boolean> => {
    checked++
    const args = ['check', ...repository.options, '-f', 'json', '-m', '-1', ...paths]
    const { opa, here } = await both(engines, args, repository.root)
    const found = differences(errorOutcomes(opa.stderr), errorOutcomes(here.stderr), 'valid')
    if (found.length === 0 && opa.code !== here.code)
      different.push(`check ${paths[0]}: exit code ${opa.code}, here ${here.code}`)
    different.push(...found.map((line) => `check ${line}`))
    return opa.code === 0
  }
  const divide = async (folder: string): Promise<void> => {
    if (checked > MOST || policiesBelow(repository, folder).length === 0) return
    if (await accepts([folder])) {
      suites.push({ name: folder, paths: [folder] })
      return
    }
    const entries = readdirSync(join(repository.root, folder), { withFileTypes: true })
    const own = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.rego'))
    const files = own.map(({ name }) => join(folder, name))
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    if (files.length > 1 && folders.length > 0 && (await accepts(files))) {
      suites.push({ name: `policies in ${folder}`, paths: files })
    } else {
      for (const file of files) {
        if (checked <= MOST && (await accepts([file]))) suites.push({ name: file, paths: [file] })
        else refused.push(file)
      }
    }
    for (const { name } of folders) await divide(join(folder, name))
  }
  await divide('.')
  return { suites, refused, checked, different: [...new Set(different)] }
}

/** The packages of policies that are not tests. */
export const packagesOf = ({ root }: Repository, files: readonly string[]): readonly string[] => [
  ...new Set(
    files.flatMap((file) => {
      const name = /^package\s+([\w.]+|\S+\[.*\])\s*(?:#.*)?$/m.exec(
        readFileSync(join(root, file), 'utf8'),
      )?.[1]
      return name === undefined || file.endsWith('_test.rego') || name.endsWith('_test')
        ? []
        : [name]
    }),
  ),
]
