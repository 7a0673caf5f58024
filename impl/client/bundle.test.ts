import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const index = fileURLToPath(new URL('./index.ts', import.meta.url))

/** A bundle of a program that imports from the package; sizes are minified. */
async function bundle(program: string, options: BuildOptions = {}) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: program.replace("'sdk'", JSON.stringify(index)),
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'silent',
    ...options,
  })
  return {
    text: outputFiles![0]!.text,
    bytes: outputFiles![0]!.contents.length,
    // Only what contributes something.
    inputs: Object.values(metafile!.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => path),
    ),
  }
}

const everything = "import * as sdk from 'sdk'; console.log(sdk)"
const one =
  "import { createBaseClient, getSecretsPublicKey } from 'sdk'; getSecretsPublicKey(createBaseClient({ url: 'u', key: 'k' })).then(console.log)"

describe('a bundle for browsers', () => {
  it('with one action is small and contains no other', async () => {
    const [whole, single] = await Promise.all([bundle(everything), bundle(one)])
    expect(whole.bytes).toBeGreaterThan(150_000)
    expect(single.bytes).toBeLessThan(25_000)
    expect(single.bytes * 6).toBeLessThan(whole.bytes)
    const actions = single.inputs.filter((path) => path.includes('/actions/'))
    expect(actions.map((path) => path.replace(/.*\/actions\//, ''))).toEqual([
      'getSecretsPublicKey.ts',
    ])
    expect(single.inputs.filter((path) => /node_modules/.test(path))).toEqual([])
    expect(
      single.inputs.filter((path) =>
        /(socket|sealing|privateData|intents|chain|explorer|webhooks)\//.test(path),
      ),
    ).toEqual([])
    expect(single.text).not.toMatch(/uploadConfidentialData|registerWebhook|getPrivacyPublicKey/)
  })

  it.each([
    ['watchTask', 40_000],
    ['verifyWebhook', 15_000],
    ['createIntent', 5_000],
    ['createExplorerClient', 35_000],
  ])('with %s has less than %i bytes, and nothing of others', async (name, most) => {
    const { bytes, inputs } = await bundle(`import { ${name} } from 'sdk'; console.log(${name})`)
    expect(bytes).toBeLessThan(most)
    expect(inputs.filter((path) => /node_modules/.test(path))).toEqual([])
  })

  it('imports nothing of Node, and uses the global WebSocket', async () => {
    const { text, inputs } = await bundle(everything, { minify: false })
    expect(text).not.toMatch(/from ["']node:|require\(["']/)
    expect(
      inputs.filter((path) => /node_modules\/(ws|isows)\/(lib|_esm|wrapper)/.test(path)),
    ).toEqual([])
    expect(inputs.some((path) => path.endsWith('socket/browserSocket.ts'))).toBe(true)
    expect(inputs.some((path) => path.endsWith('socket/nodeSocket.ts'))).toBe(false)
  })
})

describe('a bundle for Node', () => {
  it('uses ws', async () => {
    const program = "import { watchTask } from 'sdk'; console.log(watchTask)"
    const { inputs } = await bundle(program, { platform: 'node', external: ['ws'] })
    expect(inputs.some((path) => path.endsWith('socket/nodeSocket.ts'))).toBe(true)
    expect(inputs.some((path) => path.endsWith('socket/browserSocket.ts'))).toBe(false)
  })
})
