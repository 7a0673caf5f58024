import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findOrMakeKey } from './coordinator.ts'
import { settleEpochs } from './keyEpochs.ts'
import { createKeyHolder } from './keyHolder.ts'
import { signal } from './lifecycle.fixture.ts'
import { identityOf } from './roster.ts'
import { shareFile } from './shareFile.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-killed-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const program = fileURLToPath(new URL('./refreshForever.fixture.ts', import.meta.url))

it('keeps the key when the process of all members is killed while it refreshes', async () => {
  const keys = [1, 2].map(() => randomBytes(32).toString('hex'))
  const identities = keys.map((key, at) => identityOf(`0x${String(at + 1).repeat(40)}`, key))
  const members = identities.map(({ address, publicKey }) => ({ address, publicKey }))
  const roster = { needed: 2, members }
  const start = () =>
    identities.map((identity) =>
      createKeyHolder({
        ...{ roster, identity, random: randomBytes, approve: () => false },
        file: shareFile(directory, identity.address),
      }),
    )
  const options = () => ({ members: start(), rules: { roster }, random: randomBytes, signal })
  const { key } = await findOrMakeKey({ holders: start(), roster, random: randomBytes, signal })
  let epoch = 1
  for (let kill = 0; kill < 2; kill += 1) {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', program, directory, JSON.stringify({ keys, roster })],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const ended = once(child, 'exit')
    const begun = await Promise.race([once(child.stdout, 'data'), ended])
    expect(Number(begun[0])).toBeGreaterThan(epoch)
    await wait(randomInt(100))
    child.kill('SIGKILL')
    expect((await ended)[1]).toBe('SIGKILL')
    const found = await settleEpochs(options())
    expect(found?.key.publicKey).toBe(key.publicKey)
    expect(found?.users).toHaveLength(2)
    expect(found?.key.epoch).toBeGreaterThanOrEqual(Number(begun[0]))
    epoch = found?.key.epoch ?? 0
    expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([])
  }
})
