import { PROFILES } from 'polgate-rego/builtins/profiles.ts'
import { expect, it } from 'vitest'
import { allCapabilities, capabilitiesOf } from './capabilities.ts'
import { usedCapabilities } from './usedCapabilities.ts'

const everything = `package a\np := [${[...allCapabilities.keys()].map((name) => `${name}(1)`)}]`

it.each(PROFILES)('policies that call everything have all built-ins of %s', async (profile) => {
  const used = (await usedCapabilities([everything]))[profile]
  expect([...used.keys()].sort()).toEqual([...capabilitiesOf(profile).keys()].sort())
})

it('a policy that calls nothing loads neither groups nor extensions', async () => {
  const { latest } = await usedCapabilities(['package a\np := count(input.xs) + 1'])
  expect(latest.has('count')).toBe(true)
  expect([...latest.keys()].filter((name) => /^(regex|time|service)\./.test(name))).toEqual([])
})
