import { describe, expect, it } from 'vitest'
import { coreByName } from '../builtins/core.ts'
import { builtins } from '../builtins/registry.ts'
import { GROUPS, groupOf } from './catalogue.ts'
import { loadBuiltins } from './load.ts'

const others = [...builtins.keys()].filter((name) => !coreByName.has(name))

const namesOf = async (source: string): Promise<readonly string[]> =>
  (await loadBuiltins([source])).flat().map(({ name }) => name)

describe('groups', () => {
  it.each(others)('%s is in the group that a policy with it loads', async (name) => {
    expect(groupOf(name)).toBeDefined()
    expect(await namesOf(`package a\np if ${name}(1)`)).toContain(name)
    // A reference may be written with brackets, and these with escapes.
    const [first = '', ...rest] = name.split('.')
    const parts = rest.map((part) => {
      const code = part.charCodeAt(0).toString(16).padStart(4, '0')
      return `["\\u${code}${part.slice(1)}"]`
    })
    expect(await namesOf(`package a\np if ${first}${parts.join('')}(1)`)).toContain(name)
  })

  it('no built-in of the core is in one', () => {
    expect([...coreByName.keys()].filter((name) => groupOf(name) !== undefined)).toEqual([])
  })

  it('a policy loads no group that it does not mention', async () => {
    expect(await namesOf('package a\nimport rego.v1\np := json.marshal(count(input.xs))')).toEqual(
      [],
    )
  })

  it('have names that differ', () => {
    expect(new Set(GROUPS.map(({ subpath }) => subpath)).size).toBe(GROUPS.length)
  })
})
