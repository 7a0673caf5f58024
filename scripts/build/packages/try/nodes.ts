import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Node of another major version. */
export type Node = { readonly major: number; readonly version: string; readonly binary: string }

/** Majors that the packages support and that get fixes. */
const majors = [20, 22, 24, 26]

/**
 * Every major version of Node that is available: the running one, those of nvm, and those of the npm
 * packages that contain the binary for this platform. One that cannot be had is left out.
 *
 * @param into where the binaries of the packages are kept
 */
export function availableNodes(into: string): Node[] {
  const found = new Map<number, Node>()
  for (const binary of [process.execPath, ...fromNvm()]) {
    const node = nodeAt(binary)
    if (node !== undefined && !found.has(node.major)) found.set(node.major, node)
  }
  for (const major of majors) {
    const binary = found.has(major) ? undefined : fromRegistry(major, into)
    const node = binary === undefined ? undefined : nodeAt(binary)
    if (node !== undefined) found.set(major, node)
  }
  return [...found.values()].sort((a, b) => a.major - b.major)
}

function nodeAt(binary: string): Node | undefined {
  try {
    const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
    return { major: Number(/^v(\d+)/.exec(version)?.[1]), version, binary }
  } catch {
    return undefined
  }
}

function fromNvm(): string[] {
  const versions = join(
    process.env.NVM_DIR ?? join(process.env.HOME ?? '/', '.nvm'),
    'versions/node',
  )
  if (!existsSync(versions)) return []
  return readdirSync(versions)
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((version) => join(versions, version, 'bin/node'))
}

/** Takes the binary alone out of the package, which is four times as large. */
function fromRegistry(major: number, into: string): string | undefined {
  const binary = join(into, `node-${major}`)
  if (existsSync(binary)) return binary
  const folder = mkdtempSync(join(tmpdir(), 'node-'))
  try {
    const name = `node-${process.platform}-${process.arch}@${major}`
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', folder, name], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 60_000,
      }),
    ) as [{ filename: string }]
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder, 'package/bin/node'])
    mkdirSync(into, { recursive: true })
    copyFileSync(join(folder, 'package/bin/node'), binary)
    return binary
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
