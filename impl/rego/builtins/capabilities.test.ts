import { describe, expect, it } from 'vitest'
import { BuiltinError } from '../errors.ts'
import { call } from './builtinCalls.fixture.ts'
import { isInProfile, profileBuiltins } from './capabilities.ts'
import { builtins } from './registry.ts'
import type { Type } from './types.ts'

/** A plain value of a type. */
function sampleOf(type: Type): unknown {
  switch (type.kind) {
    case 'number':
      return 3
    case 'string':
      return 'a'
    case 'array':
      return type.static.map(sampleOf)
    case 'object':
      return Object.fromEntries(type.static.map(({ key, value }) => [key, sampleOf(value)]))
    case 'union':
      return sampleOf(type.of[0]!)
    default:
      return null
  }
}

describe('a built-in that depends on more than its arguments', () => {
  const all = [...builtins.values()].filter(({ nondeterministic }) => nondeterministic)
  it.each(all.map(({ name, args }) => [name, args] as const))(
    '%s has a value or fails, and is not undefined (decision R12)',
    (name, args) => {
      let value: unknown
      try {
        value = call(name, ...args.map(sampleOf))
      } catch (error) {
        expect(error).toBeInstanceOf(BuiltinError)
        return
      }
      expect(value).toBeDefined()
    },
  )
})

describe('profiles', () => {
  it('service has the extensions, and no signatures, patches or modules', () => {
    const service = profileBuiltins('service')
    for (const name of [
      'count',
      'sprintf',
      'yaml.marshal',
      'json.match_schema',
      'net.cidr_expand',
      'http.send',
      'graph.reachable_paths',
      'opa.runtime',
      'service.crypto.ecdsa_recover_signer',
    ]) {
      expect(service.has(name), name).toBe(true)
    }
    for (const name of [
      'json.patch',
      'crypto.sha256',
      'io.jwt.decode',
      'graphql.parse',
      'rego.parse_module',
      'net.cidr_merge',
      'regex.globs_match',
      'array.flatten',
    ]) {
      expect(service.has(name), name).toBe(false)
      expect(isInProfile('service', name)).toBe(false)
    }
  })

  it('opa-1.2 has pure built-ins of that version, and no extensions', () => {
    const opa = profileBuiltins('opa-1.2')
    expect(opa.has('crypto.x509.parse_certificates')).toBe(true)
    expect(opa.has('io.jwt.verify_eddsa')).toBe(false)
    expect([...opa.keys()].some((name) => name.startsWith('service.'))).toBe(false)
    expect(isInProfile('opa-1.2', 'json.patch')).toBe(true)
    expect(isInProfile('opa-1.2', 'nothing')).toBe(false)
  })

  it('latest has all, with the given prefix', () => {
    const latest = profileBuiltins('latest', 'acme')
    for (const name of builtins.keys()) expect(latest.has(name), name).toBe(true)
    expect(latest.has('acme.crypto.ecdsa_recover_signer_personal')).toBe(true)
  })

  it('every built-in is registered under its name, with the declared arguments', () => {
    for (const [name, builtin] of builtins) {
      expect(builtin.name).toBe(name)
      expect(builtin.call.length - 1, name).toBeLessThanOrEqual(builtin.args.length)
    }
  })
})
