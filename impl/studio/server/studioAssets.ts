import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asset } from './createStudio.ts'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const app = fileURLToPath(new URL('../app', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

type Build = { readonly sources: readonly (readonly [string, number, number])[] }

/**
 * The files of the page. They are part of the published package; in a clone they are built on first
 * use, and again when their sources have changed, which takes some seconds.
 */
export async function studioAssets(): Promise<ReadonlyMap<string, Asset>> {
  if (!(await isCurrent())) {
    const { buildStudio } = await import('../build/buildStudio.ts')
    await buildStudio(dist)
  }
  const assets = new Map<string, Asset>()
  for (const each of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(each.parentPath, each.name)
    const type = types[extname(each.name)]
    if (!each.isFile() || type === undefined || each.name === 'build.json') continue
    const bytes = Uint8Array.from(await readFile(path))
    assets.set(`/${relative(dist, path).replaceAll('\\', '/')}`, { type, bytes })
  }
  return assets
}

async function isCurrent(): Promise<boolean> {
  const index = await stat(join(dist, 'index.html')).catch(() => undefined)
  if (index === undefined) return false
  const text = await readFile(join(dist, 'build.json'), 'utf8').catch(() => undefined)
  // Of a package, which has no sources.
  if (text === undefined) return true
  for (const [path, changedMs, bytes] of (JSON.parse(text) as Build).sources) {
    const found = await stat(resolve(app, path)).catch(() => undefined)
    if (found?.mtimeMs !== changedMs || found.size !== bytes) return false
  }
  return true
}
