import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { Abi, Hex } from 'viem'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type CompiledContract = { readonly abi: Abi; readonly bytecode: Hex }

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly abi: Abi; readonly evm: { bytecode: { object: string } } }>
      >
    >
  >
}

/**
 * For tests: compiles sources against what is installed in a folder, by the remappings of the package, with the
 * compiler's own settings. A process of its own does it, and its output is kept for the next run.
 *
 * @returns by file and name, `guide/0.sol:Treasury`
 * @throws Error with the compiler's errors and warnings
 */
export async function compileContracts(
  folder: string,
  sources: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, CompiledContract>> {
  const own = join(folder, 'node_modules/polgate-contracts')
  const input = JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, content]) => [name, { content }]),
    ),
    settings: {
      remappings: readFileSync(join(own, 'remappings.txt'), 'utf8').trim().split('\n'),
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  })
  const solidity = readdirSync(own, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sol'))
    .sort()
    .map((name) => [name, readFileSync(join(own, name), 'utf8')])
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const versions = ['solc', '@openzeppelin/contracts'].map(
    (name) => JSON.parse(lock).packages[`node_modules/${name}`].version,
  )
  const key = createHash('sha256')
    .update(JSON.stringify([input, solidity, versions]))
    .digest('hex')
  const kept = join(root, '.cache/solc', `${key.slice(0, 32)}.json`)
  if (!existsSync(kept)) {
    const text = await standardJson(folder, input)
    refuseProblems(JSON.parse(text))
    mkdirSync(dirname(kept), { recursive: true })
    await replaceFile(kept, text)
  }
  const { contracts = {} }: Output = JSON.parse(readFileSync(kept, 'utf8'))
  const compiled = Object.entries(contracts).flatMap(([file, each]) =>
    Object.entries(each).map(([name, { abi, evm }]): readonly [string, CompiledContract] => [
      `${file}:${name}`,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  )
  return new Map(compiled)
}

async function standardJson(folder: string, input: string): Promise<string> {
  const solcjs = join(root, 'node_modules/solc/solc.js')
  const path = join(folder, 'compiled.json')
  // A file: it ends before a pipe has taken everything.
  const output = await open(path, 'w')
  try {
    const words = [solcjs, '--standard-json', '--base-path', folder]
    const running = spawn(process.execPath, words, { stdio: ['pipe', output.fd, 'inherit'] })
    running.stdin?.end(input)
    await once(running, 'exit')
  } finally {
    await output.close()
  }
  const text = readFileSync(path, 'utf8')
  // The compiler's own lines come first.
  return text.slice(text.indexOf('{'))
}

function refuseProblems({ errors = [] }: Output): void {
  if (errors.length > 0)
    throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
}
