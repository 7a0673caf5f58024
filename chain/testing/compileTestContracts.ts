import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CompiledContract, compileContracts } from './compileContracts.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Compiles a file of `chain/testing/contracts` as a user's against the sources of the package. */
export async function compileTestContracts(
  file: string,
): Promise<(name: string) => CompiledContract> {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'))
  try {
    const modules = join(folder, 'node_modules')
    const own = join(modules, 'polgate-contracts')
    mkdirSync(modules)
    cpSync(at('../contracts'), own, { recursive: true })
    symlinkSync(at('../../node_modules/@openzeppelin'), join(modules, '@openzeppelin'))
    const remappings = ['polgate-contracts', '@openzeppelin/contracts'].map(
      (name) => `${name}/=node_modules/${name}/\n`,
    )
    writeFileSync(join(own, 'remappings.txt'), remappings.join(''))
    const sources = { [file]: readFileSync(at(`contracts/${file}`), 'utf8') }
    const compiled = await compileContracts(folder, sources)
    return (name) => compiled.get(`${file}:${name}`)!
  } finally {
    rmSync(folder, { recursive: true })
  }
}
