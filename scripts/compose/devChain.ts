/**
 * Anvil for development, shared by all containers of a network: with the contracts, operators and
 * policies of `polgate start`, and their contents in the shared store. Exits with its Anvil.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir } from 'node:fs/promises'
import { anvilBinary } from 'polgate-chain/anvil.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { findImage } from 'polgate-local/localChain.ts'

const image = await findImage(undefined)
if (image === undefined)
  throw new Error('No chain image found: run `polgate start --exec true` once')
const state = '/data/chain/state.json'
await mkdir('/data/chain', { recursive: true })
if (!existsSync(state)) await copyFile(image.stateFile, state)
await cp(contentDirectory, '/data/content', { recursive: true, force: false })
const anvil = spawn(
  anvilBinary(),
  [
    ...['--host', '0.0.0.0', '--port', '8545', '--silent'],
    ...['--state', state, '--state-interval', '5', '--preserve-historical-states'],
  ],
  { stdio: 'inherit' },
)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => anvil.kill('SIGINT'))
anvil.once('exit', (code) => process.exit(code ?? 0))
