/**
 * Runs a part of `npm test` on another major version of Node: each available one within three days, each
 * test on each of them within nine. Exits with the code of the tests; with 0 and the reason where there is no other Node.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { availableNodes } from '../build/packages/try/nodes.ts'

const parts = 3
const dayMs = 24 * 60 * 60 * 1000

const running = Number.parseInt(process.versions.node, 10)
const others = availableNodes(resolve('.cache/nodes')).filter(({ major }) => major !== running)
const day = Math.floor(Date.now() / dayMs)
const node = others[day % others.length]
if (node === undefined) {
  console.log('no other version of Node is available here: nothing was run')
} else {
  const part = (Math.floor(day / others.length) % parts) + 1
  console.log(`node ${node.version}, part ${part} of ${parts}`)
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', `--shard=${part}/${parts}`]
  const projects = ['--project', 'alone', '--project', 'together']
  const { status } = spawnSync(node.binary, [...vitest, ...projects], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
