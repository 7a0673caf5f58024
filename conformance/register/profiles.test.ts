import { describe, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { belongsTo, checkProfiles, methodProfiles } from '../core/checkProfiles.ts'
import { areExcepted, environmentCapabilities, openForms } from '../core/profileProof.ts'
import { dependencies, type Profile, profiles, withDependencies } from './profiles.ts'
import { clauses } from './register.ts'

const provable = clauses.filter(({ level, noCheck }) => level === 'must' && noCheck === undefined)

describe('the profiles', () => {
  test('each comes after those that it depends on', () => {
    for (const profile of profiles)
      for (const needed of dependencies[profile])
        expect(profiles.indexOf(needed)).toBeLessThan(profiles.indexOf(profile))
    expect(withDependencies(['secrets', 'webhooks'])).toEqual([
      'base',
      'tasks',
      'webhooks',
      'simulation',
      'secrets',
    ])
  })

  test('each has required clauses', () => {
    for (const profile of profiles)
      expect(provable.filter((clause) => clause.profile === profile).length).toBeGreaterThan(5)
  })

  test('a gateway that has only one, with what it depends on, can prove each of its clauses', () => {
    const unprovable = provable.filter(({ id, profile }) => {
      const claimed = withDependencies([profile])
      return !checks.some((check) => check.clauses.includes(id) && belongsTo(check, claimed))
    })
    expect(unprovable.map(({ id, profile }) => `${id} (${profile})`)).toEqual([])
  })

  test('a clause belongs to the lowest one that can prove it, so that one that holds was called', () => {
    const lower = provable.filter(({ id, profile }) => {
      const below = withDependencies([profile]).filter((each) => each !== profile)
      return checks.some((check) => {
        const called = checkProfiles(check)
        return check.clauses.includes(id) && called.every((each) => below.includes(each))
      })
    })
    // On chain, with tasks; and what any params to any method are answered with.
    expect(lower.map(({ id }) => id)).toEqual(['1-05', '7.1-04', '7.5-07'])
  })

  test('every check belongs to a run of all of them', () => {
    for (const check of checks) expect(belongsTo(check, profiles), check.id).toBe(true)
  })

  test('a check of a method belongs to no run without the profile of that method', () => {
    const without = (profile: Profile) =>
      profiles.filter((each) => !withDependencies([each]).includes(profile))
    for (const check of checks)
      for (const part of check.id.split('.')) {
        const profile = Object.hasOwn(methodProfiles, part) ? methodProfiles[part] : undefined
        if (profile === undefined || check.profiles !== undefined) continue
        expect(checkProfiles(check), check.id).toContain(profile)
        expect(belongsTo(check, without(profile)), check.id).toBe(false)
      }
  })
})

describe('what a gateway may lack without losing a profile', () => {
  test('is this, and nothing else', () => {
    expect(environmentCapabilities).toEqual([
      'chain:dev',
      'chaos',
      'fixture-host',
      'key-control',
      'limit-control',
      'operator-control',
      'world',
    ])
    expect(openForms).toEqual([
      'challenge-form',
      'envelope-form',
      'identity-signature-form',
      'unattested-data',
    ])
    const needed = [...new Set(checks.flatMap(({ needs }) => needs))]
    expect(needed.filter((need) => areExcepted([need])).sort()).toEqual(
      [...environmentCapabilities, ...openForms].sort(),
    )
  })

  test('excuses nothing together with something else', () => {
    expect(areExcepted(['chaos', 'envelope-form'])).toBe(true)
    expect(areExcepted(['chaos', 'key:read'])).toBe(false)
    expect(areExcepted([])).toBe(false)
    expect(areExcepted(undefined)).toBe(false)
  })
})
