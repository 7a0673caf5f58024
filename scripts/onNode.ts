/**
 * Runs a command with another version of Node:
 *
 *   npm run on-node -- [--node MAJOR] COMMAND [ARGUMENT...]
 *
 * Without `--node` it is another one each day, of those that are available and do not run this script. The
 * exit code is that of the command; 2 if the version cannot be had.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { availableNodes } from './build/packages/try/nodes.ts'
import { dayOf } from './commands/dailyShare.ts'

const words = process.argv.slice(2)
const wanted = words[0] === '--node' ? Number(words.splice(0, 2)[1]) : undefined
const [command, ...args] = words

function refuse(problem: string): never {
  console.error(problem)
  process.exit(2)
}
if (command === undefined) refuse('Name a command: npm run on-node -- [--node MAJOR] COMMAND.')

const nodes = availableNodes(fileURLToPath(new URL('../.cache/nodes', import.meta.url)))
const others = nodes.filter(({ binary }) => binary !== process.execPath)
const node =
  wanted === undefined
    ? others[dayOf(Date.now()) % others.length]
    : nodes.find(({ major }) => major === wanted)
if (node === undefined)
  refuse(
    `Node ${wanted ?? 'of another version'} is not available: install it with nvm, or see that npm reaches its registry.`,
  )

// The packages have the binary under another name.
const bin = fileURLToPath(new URL(`../.cache/nodes/bin-${node.major}`, import.meta.url))
mkdirSync(bin, { recursive: true })
rmSync(join(bin, 'node'), { force: true })
symlinkSync(node.binary, join(bin, 'node'))

console.log(`On Node ${node.version}: ${[command, ...args].join(' ')}`)
const PATH = [bin, process.env.PATH].join(delimiter)
spawn(command, args, { stdio: 'inherit', env: { ...process.env, PATH } })
  .on('error', ({ message }) => refuse(`cannot run ${command}: ${message}`))
  .on('close', (code) => {
    process.exitCode = code ?? 1
  })
