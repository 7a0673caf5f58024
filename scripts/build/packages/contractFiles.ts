import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../contractArtifacts.ts'

const sources = 'chain/contracts/'
type AbiEntry = { readonly type: string }
type Artifact = { readonly abi: readonly AbiEntry[] }

/** The service alone uses it. */
const internal = ['ContextReader']

const remappings = [
  'polgate-contracts/=node_modules/polgate-contracts/',
  '@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/',
]

/** The files of the package of contracts, by path below it: sources, ABIs, remappings. */
export function contractFiles(): ReadonlyMap<string, string> {
  const tracked = execFileSync('git', ['ls-files', '-z', sources, 'chain/artifacts'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\0')
  const files = new Map([['remappings.txt', `${remappings.join('\n')}\n`]])
  const names: string[] = []
  const errors = new Map<string, AbiEntry>()
  const add = (name: string, constant: string, abi: readonly AbiEntry[]) => {
    names.push(name)
    files.set(`abi/${name}.json`, `${JSON.stringify(abi, null, 1)}\n`)
    files.set(`abi/${name}.mjs`, `export const ${constant} = ${JSON.stringify(abi)}\n`)
    files.set(`abi/${name}.d.mts`, `export declare const ${constant}: ${typeOf(abi)}\n`)
  }
  for (const path of tracked) {
    if (path.endsWith('.sol'))
      files.set(path.slice(sources.length), readFileSync(join(root, path), 'utf8'))
    const name = basename(path, '.json')
    if (!/artifacts\/[A-Z]\w+\.json$/.test(path)) continue
    const { abi } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Artifact
    if (!internal.includes(name)) add(name, `${constantName(name)}Abi`, abi)
    for (const entry of abi) if (entry.type === 'error') errors.set(JSON.stringify(entry), entry)
  }
  // A call reverts with the error of the innermost contract, which the ABI of the outer one does not have.
  add(
    'contractErrors',
    'contractErrorsAbi',
    [...errors].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry),
  )
  const all = names.map((name) => `export * from './${name}.mjs'\n`).join('')
  files.set('abi/index.mjs', all)
  files.set('abi/index.d.mts', all)
  return files
}

/** `iPolicyClientAbi`, `taskManagerAbi`. */
const constantName = (name: string): string => `${name[0]!.toLowerCase()}${name.slice(1)}`

/** The type that `as const` gives a value, which declarations cannot contain. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(typeOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, each]) => `readonly ${JSON.stringify(name)}: ${typeOf(each)}`,
  )
  return `{ ${members.join('; ')} }`
}

/** What a user imports: sources and JSON by their paths, constants without an extension. */
export const contractSubpaths = {
  '.': { types: './abi/index.d.mts', default: './abi/index.mjs' },
  './abi/*.json': './abi/*.json',
  './abi/*': { types: './abi/*.d.mts', default: './abi/*.mjs' },
  './*.sol': './*.sol',
  './remappings.txt': './remappings.txt',
} as const
