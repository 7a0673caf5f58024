import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trialTarget } from '../mutants/tryMutant.ts'
import { type LocalTarget, localTarget } from './localTarget.ts'
import { thirdPartyTarget } from './thirdPartyTarget.ts'

describe('the target of a third party', () => {
  let local: LocalTarget
  beforeAll(async () => {
    local = await localTarget({})
  }, 120_000)
  afterAll(() => local?.close())

  test('is that of trials, unless they are held to the decisions of the reference', async () => {
    expect((await trialTarget(local, {})).reference).toBeFalsy()
    expect((await trialTarget(local, { reference: true })).reference).toBe(true)
  })

  test('has everything that the stack has, as its owner would write it', async () => {
    const { reference: _, name, ...mine } = local.target
    const theirs: Record<string, unknown> = { ...(await thirdPartyTarget(local.description)) }
    expect(name).not.toBe(theirs.name)
    for (const [member, value] of Object.entries(mine))
      expect({ [member]: theirs[member] }).toMatchObject({ [member]: value })
  })

  test('is refused with the member that is wrong', async () => {
    const wrong = { ...local.description, gatewayUrl: 7 } as unknown as StackDescription
    await expect(thirdPartyTarget(wrong)).rejects.toThrow(/gatewayUrl/)
  })
})
