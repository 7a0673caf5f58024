import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const sourceDirectory = join(root, 'chain', 'contracts')
export const artifactDirectory = join(root, 'chain', 'artifacts')
export const digestFile = 'digests.json'

function sources(): Record<string, { content: string }> {
  const files = readdirSync(sourceDirectory, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith('.sol'))
      .sort()
      .map((file) => {
        const path = join(sourceDirectory, file)
        const name = relative(root, path).replaceAll('\\', '/')
        return [name, { content: readFileSync(path, 'utf8') }]
      }),
  )
}

/** Sources and settings as solc takes them. */
export const compilerInput = () => ({
  language: 'Solidity',
  sources: sources(),
  settings: {
    optimizer: { enabled: true, runs: 1_000_000 },
    evmVersion: 'cancun',
    viaIR: true,
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
})

/** The committed artifacts by file name. */
export function committedArtifacts(): Map<string, string> {
  mkdirSync(artifactDirectory, { recursive: true })
  return new Map(
    readdirSync(artifactDirectory).map((file) => [
      file,
      readFileSync(join(artifactDirectory, file), 'utf8'),
    ]),
  )
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/**
 * Digests of what artifacts were compiled from, and of the artifacts themselves: a test compares
 * them in milliseconds, where compiling takes ten seconds.
 */
export function digestsOf(artifacts: ReadonlyMap<string, string>): string {
  const versions = ['solc', '@openzeppelin/contracts'].map(versionOf)
  const files = [...artifacts].filter(([file]) => file !== digestFile).sort()
  return `${JSON.stringify({ input: sha256([versions, compilerInput()]), artifacts: sha256(files) }, null, 1)}\n`
}
