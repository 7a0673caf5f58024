import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

const app = fileURLToPath(new URL('../app/', import.meta.url))

/**
 * Builds the page of Studio into a directory, with `build.json`: the sources that it was made of.
 *
 * @throws what Vite reports
 */
export async function buildStudio(into: string): Promise<void> {
  await mkdir(dirname(into), { recursive: true })
  const made = await mkdtemp(`${into}-`)
  try {
    const output = (await build({
      ...{ root: app, configFile: false, logLevel: 'error', base: '/' },
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: made,
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        reportCompressedSize: false,
      },
      worker: { format: 'es' },
    })) as Rolldown.RolldownOutput
    const modules = output.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    await writeFile(join(made, 'build.json'), JSON.stringify({ sources: await sourcesOf(modules) }))
    await rm(into, { recursive: true, force: true })
    await rename(made, into)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

/** What workers are made of; they are not among the modules of the page. */
const ofWorkers = ['../playground/', '../../rego/'].map((path) => join(app, path))

/** Every file of the app, which includes styles, of workers, and every module of other packages. */
async function sourcesOf(modules: readonly string[]) {
  const own = (
    await Promise.all(
      [app, ...ofWorkers].map((each) => readdir(each, { recursive: true, withFileTypes: true })),
    )
  ).flat()
  const paths = new Set([
    ...own.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name)),
    ...modules.filter((id) => id.startsWith('/') && !id.includes('/node_modules/')),
  ])
  const sources = []
  for (const path of paths) {
    const [file = path] = path.split('?')
    const found = await stat(file).catch(() => undefined)
    if (found?.isFile()) sources.push([relative(app, file), found.mtimeMs, found.size])
  }
  return sources
}
