import { realpathSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { distName, installedBeside, root } from './bundle.ts'
import type { PackageDefinition } from './definitions.ts'

/** Packages of this repository: their declarations go into those of the package. */
const ours = /^polgate(-[a-z-]+)?\//

/**
 * The declarations of what a package exports: one file for each subpath, and what these share. They refer
 * to Node and to packages that are installed beside the bundle, and to nothing else.
 * @throws Error for a declaration that refers to a package which is part of the bundle
 */
export async function declarationsOf(
  definition: PackageDefinition,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = Object.entries(definition.exports ?? {})
  if (entries.length === 0) return new Map()
  const beside = [...installedBeside(definition), ...(definition.typePackages ?? [])]
  const isBeside = (id: string) =>
    id.startsWith('node:') ||
    builtinModules.includes(id) ||
    beside.some((name) => id === name || id.startsWith(`${name}/`))
  const bundle = await rollup({
    input: Object.fromEntries(
      entries.map(([subpath, source]) => [distName(subpath), join(root, source)]),
    ),
    external: isBeside,
    onwarn: ({ code, message }) => {
      // Types that two subpaths share and neither exports are in a file of their own.
      if (code === 'PLUGIN_WARNING' && message.includes('private shared type exports')) return
      throw new Error(`declarations of ${definition.directory}: ${message}`)
    },
    plugins: [
      {
        name: 'workspaces',
        // As TypeScript names them: by another name, it would read everything they import again.
        resolveId: (id) => (ours.test(id) ? realpathSync(join(root, 'node_modules', id)) : null),
      },
      dts({ tsconfig: join(root, 'tsconfig.json'), respectExternal: true }),
    ],
  })
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].d.mts',
    chunkFileNames: 'types-[hash].d.mts',
  })
  await bundle.close()
  return new Map(
    output.flatMap((chunk) =>
      chunk.type === 'chunk'
        ? [
            [
              `dist/${chunk.fileName}`,
              Buffer.from(chunk.code.replaceAll(/\.mts'/g, ".mjs'")),
            ] as const,
          ]
        : [],
    ),
  )
}
