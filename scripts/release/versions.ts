import { gt, inc, type ReleaseType, valid } from 'semver'

/** A name of the family. */
const ours = /^polgate(-[a-z]+)*$/

const dependencyLists = [
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'devDependencies',
]

type Manifest = { name?: string; version?: string; [member: string]: unknown }

/**
 * The version to release.
 *
 * @param wanted a version, or `patch`, `minor` or `major`
 * @throws Error if it is neither, or not above the current one
 */
export function nextVersion(current: string, wanted: string): string {
  const steps: readonly string[] = ['patch', 'minor', 'major', 'prerelease']
  const next = steps.includes(wanted) ? inc(current, wanted as ReleaseType) : valid(wanted)
  if (next === null || next !== (steps.includes(wanted) ? next : wanted))
    throw new Error(`'${wanted}' is not a version: use patch, minor, major, or one such as 1.2.3`)
  if (!gt(next, current)) throw new Error(`${next} is not above the current version ${current}`)
  return next
}

/** The text of a `package.json` with the version of the family, for itself and its dependencies. */
export const withVersion = (text: string, version: string): string =>
  print(setVersion(JSON.parse(text) as Manifest, version))

/** The same for `package-lock.json`, where the packages of this repository are listed by folder. */
export function lockWithVersion(text: string, version: string): string {
  const lock = JSON.parse(text) as Manifest & { packages: Record<string, Manifest> }
  lock.version = version
  for (const [folder, manifest] of Object.entries(lock.packages))
    if (!folder.includes('node_modules')) setVersion(manifest, version)
  return print(lock)
}

function setVersion(manifest: Manifest, version: string): Manifest {
  manifest.version = version
  for (const list of dependencyLists) {
    const dependencies = Object(manifest[list]) as Record<string, string>
    for (const name of Object.keys(dependencies)) if (ours.test(name)) dependencies[name] = version
  }
  return manifest
}

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
