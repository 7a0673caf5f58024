import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { GROUPS } from './groups/catalogue.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** A minified bundle of a program for browsers. */
async function bundle(program: string) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'silent',
  })
  const [{ text, contents }] = outputFiles as [(typeof outputFiles)[number]]
  const [{ inputs }] = Object.values(metafile.outputs) as [(typeof metafile.outputs)[string]]
  return {
    text,
    gzipped: gzipSync(contents).length,
    // Only what contributes something.
    inputs: Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [path] : [],
    ),
  }
}

const packagesIn = (inputs: readonly string[]): string[] => [
  ...new Set(inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
]

const use = (names: string, from: string) =>
  `import { ${names} } from '${from}'\nconsole.log(${names})\n`
const everything = use('compile, evaluate, test, coverage, explain, capabilities', './index.ts')

describe('a bundle for browsers', () => {
  it('of the core is below 100 kB gzipped, and has no large built-in', async () => {
    const { gzipped, inputs, text } = await bundle(everything)
    expect(gzipped).toBeLessThan(100_000)
    // The seed of random built-ins is hashed.
    expect(packagesIn(inputs)).toEqual(['@noble/hashes'])
    expect(inputs.filter((path) => path.startsWith('groups/'))).toEqual(['groups/catalogue.ts'])
    expect(text).not.toMatch(/from"node:|\brequire\(|\bBuffer\./)
  })

  it('leaves out what a program does not use', async () => {
    const [all, two] = await Promise.all([
      bundle(everything),
      bundle(use('compile, evaluate', './index.ts')),
    ])
    expect(two.inputs.filter((path) => /^(report|test)\//.test(path))).toEqual([])
    expect(two.gzipped).toBeLessThan(all.gzipped)
  })

  const portable = GROUPS.filter((group) => !('needsNode' in group))
  it.each(portable.map(({ name }) => name))('of the group %s has nothing of Node', async (name) => {
    const { text, inputs } = await bundle(use(name, `./groups/${name}.ts`))
    expect(text).not.toMatch(/from"node:|\bBuffer\./)
    expect(inputs.some((path) => path.startsWith('groups/'))).toBe(true)
  })
})
