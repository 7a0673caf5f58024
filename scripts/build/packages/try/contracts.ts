import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import solc from 'solc'
import type { OrdinaryUser } from './ordinaryUser.ts'
import type { Place } from './place.ts'

/**
 * Compiles the contracts of the guide and of the security review in a project that has installed the package of contracts, by its
 * remappings and by resolution as Hardhat does it, and loads its constants.
 *
 * @throws Error with what the compiler reports
 */
export async function tryContracts(place: Place, user: OrdinaryUser, cwd: string): Promise<void> {
  const own = join(cwd, 'node_modules/polgate-contracts')
  const pages = ['GUIDE.md', 'SECURITY.md'].map((page) => readFileSync(join(own, page), 'utf8'))
  const sources = Object.fromEntries(
    [...pages.join('\n').matchAll(/^```solidity\n([\s\S]*?)^```$/gm)].map(([, content], at) => [
      `contracts/${at}.sol`,
      { content },
    ]),
  )
  const remappings = readFileSync(join(own, 'remappings.txt'), 'utf8').trim().split('\n')
  const { resolve } = createRequire(join(cwd, 'package.json'))
  const ways: readonly (readonly [string, readonly string[], (path: string) => string])[] = [
    ['remappings', remappings, (path) => join(cwd, path)],
    ['node_modules', [], resolve],
  ]
  for (const [way, remapped, find] of ways) {
    const settings = { remappings: remapped, outputSelection: { '*': { '*': ['abi'] } } }
    const read = (path: string) => ({ contents: readFileSync(find(path), 'utf8') })
    const input = JSON.stringify({ language: 'Solidity', sources, settings })
    const { errors = [] } = JSON.parse(solc.compile(input, { import: read })) as {
      readonly errors?: readonly { readonly formattedMessage: string }[]
    }
    if (errors.length > 0)
      throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
    console.log(`${Object.keys(sources).length} contracts of the pages compile by ${way}`)
  }
  const script = `import { taskManagerAbi } from 'polgate-contracts/abi/TaskManager'
import * as all from 'polgate-contracts'
import json from 'polgate-contracts/abi/TaskManager.json' with { type: 'json' }
if (JSON.stringify(json) !== JSON.stringify(taskManagerAbi) || all.taskManagerAbi !== taskManagerAbi) throw new Error('other ABIs')`
  await user.run(['node', '--input-type=module', '-e', script], { cwd, env: place.env })
}
