/**
 * Packs the packages and tries them as a user gets them: installed from tarballs by an ordinary user into
 * empty projects, `node_modules` read-only, on every major version of Node that is available.
 *
 *   npm run try:tarballs -- [--out DIR]     tarballs are kept there; by default .cache/packages
 *   npm run try:tarballs -- --packed DIR    those of `npm run pack -- --out DIR`, of the same files
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { keepTemporaryFilesInMemory } from '../../testing/temporaryFiles.ts'
import { linkedPages } from './linkedPages.ts'
import { packAll } from './packAll.ts'
import { packedIn } from './packedIn.ts'
import { tryContracts } from './try/contracts.ts'
import { tryGlobal, tryNpx, tryWithoutCompiler } from './try/elsewhere.ts'
import { availableNodes } from './try/nodes.ts'
import { tryOldestVitest } from './try/oldestVitest.ts'
import { seconds, tryOnNode } from './try/onNode.ts'
import { ordinaryUser } from './try/ordinaryUser.ts'
import { bytesOf, makePlace, projectWith, tarballsFor } from './try/place.ts'
import { startStack } from './try/runningStack.ts'
import { tryTypes } from './try/types.ts'
import { tryUses } from './try/uses.ts'

const { values } = parseArgs({
  options: { out: { type: 'string', default: '.cache/packages' }, packed: { type: 'string' } },
})

const begin = performance.now()
let last = begin
function step(title: string): void {
  const now = performance.now()
  console.log(`-- ${title} (${seconds(now - begin)}, +${seconds(now - last)})`)
  last = now
}

const packed =
  values.packed === undefined
    ? await packAll(resolve(values.out), { tarballs: true })
    : packedIn(resolve(values.packed))
step('packed')
const user = ordinaryUser()
console.log(`as user ${user.id}`)
const nodes = availableNodes(resolve('.cache/nodes'))
step(`Node ${nodes.map(({ major }) => major).join(', ')}`)
const removeTemporaryFiles = await keepTemporaryFilesInMemory()
const place = makePlace(user, packed)
try {
  const projects = new Map<string, string>()
  for (const { name, definition } of packed) {
    const packages = tarballsFor(place, name, definition)
    const cwd = await projectWith(place, user, { name: `with-${name}`, packages })
    // Throws for a link of the README that leads to no file of the package.
    linkedPages(join(cwd, 'node_modules', name))
    const size = bytesOf(join(cwd, 'node_modules'))
    const megabytes = (size / 1_000_000).toFixed(2)
    console.log(`${name} with its dependencies: ${megabytes} MB (limit ${definition.limitMb})`)
    if (size > definition.limitMb * 1_000_000) throw new Error(`${name} is too large`)
    projects.set(name, cwd)
  }
  step('installed')
  await tryContracts(place, user, String(projects.get('polgate-contracts')))
  step('contracts')
  await tryTypes(place, user, packed)
  step('types')
  await tryOldestVitest(place, user, packed)
  step('oldest vitest')
  const stack = String(projects.get('polgate'))
  const suite = String(projects.get('polgate-conformance'))
  const release = String(packed[0]?.version)
  for (const node of nodes) await tryOnNode(node, user, place, { stack, suite, release })
  step('every Node')
  const current = nodes.find(({ major }) => major === 24) ?? nodes.at(-1)
  if (current !== undefined) await tryUses(current, user, place, stack)
  step('uses')
  const running = await startStack(user, ['node', 'node_modules/polgate/bin/polgate.mjs'], {
    cwd: stack,
    env: place.env,
  })
  try {
    await tryNpx(place, user, running)
  } finally {
    await running.stop()
  }
  const own = packed.find(({ name }) => name === 'polgate')
  if (own === undefined) throw new Error('polgate was not packed')
  await tryGlobal(place, user, tarballsFor(place, own.name, own.definition))
  await tryWithoutCompiler(stack, user, place)
  step('elsewhere')
} finally {
  place.remove()
  await removeTemporaryFiles()
  step('removed')
}
