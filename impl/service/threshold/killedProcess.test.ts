import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { GroupKey } from './groupKey.ts'
import { type Epoch, settleEpochs } from './keyEpochs.ts'
import {
  generate,
  lifecycleOf,
  type Operators,
  openWith,
  plaintext,
  sealTo,
  startAll,
} from './lifecycle.fixture.ts'
import {
  backupPath,
  type Given,
  type Kill,
  needed,
  newSetting,
  type Operation,
  operatorsIn,
  restoreBackup,
  type Setting,
  shareOf,
} from './lifecycleForever.fixture.ts'
import { recoverShare } from './recoverShare.ts'

/** Operators that hold one key during all tests, in processes that are killed. */
let directory: string
let setting: Setting
let operators: Operators
let key: GroupKey
let envelope: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-killed-'))
  await mkdir(dirname(backupPath(directory)))
  setting = await newSetting(4)
  operators = operatorsIn(directory, setting)
  key = (await generate(operators, startAll(operators))).key
  envelope = await sealTo(key)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const program = fileURLToPath(new URL('./testing/lifecycle.worker.mjs', import.meta.url))

/** A process of all operators that repeats an operation until SIGKILL. */
async function killDuring(operation: Operation, kill: Kill): Promise<void> {
  const given: Given = { directory, setting, operation, kill }
  const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: 'inherit' })
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
}

const current = async (): Promise<Epoch> =>
  (await settleEpochs(lifecycleOf(operators, startAll(operators))))!

/** The key after a restart of everything: unchanged, with every share in place. */
async function restart(operation: Operation): Promise<void> {
  const found = await current()
  for (const { address } of found.roster.members) {
    const has = await access(shareOf(directory, address)).then(
      () => true,
      () => false,
    )
    if (has) continue
    // A share is deleted by two of the operations only, and by one of them after its backup.
    expect(['recovery', 'backup']).toContain(operation)
    if (operation === 'backup') expect(await restoreBackup(directory, setting)).toBe(true)
    else await recoverShare(lifecycleOf(operators, startAll(operators)), address)
  }
  await rm(backupPath(directory), { force: true })
  const { key: kept, users, roster } = await current()
  expect(kept.publicKey).toBe(key.publicKey)
  expect(users.map(({ member }) => member.address).sort()).toEqual(
    roster.members.map(({ address }) => address).sort(),
  )
  const members = users.map(({ member }) => member)
  const opener = operators.identities.find(({ address }) => address === members[0]?.address)!
  for (const some of [members.slice(0, needed), members.slice(-needed)])
    expect(await openWith(kept, opener, some, envelope)).toBe(plaintext)
  expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([])
}

/** Steps: about as many as an operation takes. */
it.each([
  { operation: 'refresh', kills: 1, steps: 96 },
  { operation: 'otherRoster', kills: 3, steps: 100 },
  { operation: 'recovery', kills: 2, steps: 48 },
  { operation: 'backup', kills: 2, steps: 20 },
] as const)('keeps the key when a process is killed in $operation', async (each) => {
  for (let done = 0; done < each.kills; done += 1) {
    const kill = { step: 1 + randomInt(each.steps), afterMs: randomInt(2) * randomInt(4) }
    await killDuring(each.operation, kill)
    await restart(each.operation).catch((cause: unknown) => {
      throw new Error(`after a kill at step ${JSON.stringify(kill)}`, { cause })
    })
  }
})
