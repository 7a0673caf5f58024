import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * For tests: packs the package of contracts and unpacks it into `node_modules` of a folder, as `npm install`
 * does; its dependency is that of this repository.
 */
export async function installContracts(folder: string): Promise<string> {
  const script = join(root, 'scripts/build/packages.ts')
  const words = ['--import', 'tsx', script, '--tarballs', '--out', join(folder, 'packed')]
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [...words, 'chain/contracts'], { cwd: root })
  const tarball = stdout.trim().split('\n').at(-1)!
  const modules = join(folder, 'node_modules')
  const own = join(modules, 'polgate-contracts')
  mkdirSync(own, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1'])
  symlinkSync(join(root, 'node_modules/@openzeppelin'), join(modules, '@openzeppelin'))
  return own
}
