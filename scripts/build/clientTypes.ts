/**
 * Writes impl/client/generated: types of methods, messages and explorer paths from the service's
 * self-descriptions (decision E11), and the ABIs that the client needs. `--check` writes nothing; it
 * exits 1 and lists the files that differ.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contractAbis } from './clientTypes/contractAbis.ts'
import { explorerTypes } from './clientTypes/explorerTypes.ts'
import { rpcTypes } from './clientTypes/rpcTypes.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** `--directory DIR` checks, or writes, another directory. */
function directory(): string {
  const at = process.argv.indexOf('--directory')
  return at < 0 ? join(repository, 'impl/client/generated') : process.argv[at + 1]!
}

function committed(from: string): Map<string, string> {
  mkdirSync(from, { recursive: true })
  return new Map(readdirSync(from).map((name) => [name, readFileSync(join(from, name), 'utf8')]))
}

function main(): void {
  const target = directory()
  const wanted = new Map([
    ['contractAbis.ts', contractAbis()],
    ['explorerTypes.ts', explorerTypes()],
    ['rpcTypes.ts', rpcTypes()],
  ])
  const found = committed(target)
  const names = new Set([...wanted.keys(), ...found.keys()])
  const differing = [...names].filter((name) => wanted.get(name) !== found.get(name)).sort()
  if (process.argv.includes('--check')) {
    if (differing.length === 0) return
    console.error(`impl/client/generated is out of date: ${differing.join(', ')}`)
    console.error('Run npm run client:types and commit the result.')
    process.exitCode = 1
    return
  }
  for (const name of differing) {
    const content = wanted.get(name)
    if (content === undefined) rmSync(join(target, name))
    else writeFileSync(join(target, name), content)
  }
  console.log(
    differing.length === 0
      ? 'impl/client/generated is up to date'
      : `wrote ${differing.join(', ')}`,
  )
}

main()
