import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileContracts } from 'polgate-chain/testing/compileContracts.ts'
import { createPublicClient, defineChain, http } from 'viem'
import { beforeAll, expect } from 'vitest'
import type { AuthorStack } from './authorStack.ts'
import { bindingsSuite } from './bindings.suite.ts'
import type { ContractsWorld } from './contractsWorld.ts'
import { guideSuite } from './guide.suite.ts'
import { guideBlocks, securityPage } from './guideBlocks.ts'
import { installContracts } from './installContracts.ts'
import { ownClientsSuite } from './ownClients.suite.ts'
import { runMain } from './runMain.ts'
import { securitySuite } from './security.suite.ts'

/** For authors of contracts: bindings, the package of contracts, its guide, setters of other names. */
export function contractsSuite(author: () => AuthorStack): void {
  let world: ContractsWorld
  beforeAll(async () => {
    const folder = await mkdtemp(join(author().directory, 'contracts-'))
    await installContracts(folder)
    const out = join(folder, 'interfaces')
    const written = ['chain', 'bindings', '--language', 'solidity', '--out', out, '--json']
    expect(await runMain(...written)).toMatchObject({ code: 0, stderr: '' })
    const foreign = fileURLToPath(new URL('contracts/ForeignClients.sol', import.meta.url))
    const sources = { 'ForeignClients.sol': await readFile(foreign, 'utf8') } as Record<
      string,
      string
    >
    for (const name of await readdir(out))
      sources[`interfaces/${name}`] = await readFile(join(out, name), 'utf8')
    for (const [at, text] of (await guideBlocks('solidity')).entries())
      sources[`guide/${at}.sol`] = text
    for (const [at, text] of (await guideBlocks('solidity', securityPage)).entries())
      sources[`security/${at}.sol`] = text
    const compiled = await compileContracts(folder, sources)
    const { rpcUrl, chainId: id } = author().stack.description.chain
    const chain = defineChain({
      ...{ id, name: 'local', rpcUrls: { default: { http: [rpcUrl] } } },
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    })
    world = { folder, compiled, chain, client: createPublicClient({ chain, transport: http() }) }
  })
  bindingsSuite(author, () => world)
  guideSuite(author, () => world)
  securitySuite(author, () => world)
  ownClientsSuite(author, () => world)
}
