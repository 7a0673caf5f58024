import { afterEach, describe, expect, it, vi } from 'vitest'
import { withDatabaseUrl } from './databaseUrl.ts'

describe('the store of a configuration', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('defaults to the server of the environment', () => {
    vi.stubEnv('SVC_DATABASE_URL', '')
    vi.stubEnv('DATABASE_URL', 'postgresql://here')
    expect(withDatabaseUrl({ store: {} })).toEqual({ store: { url: 'postgresql://here' } })
    for (const store of [{ dataDir: 'x' }, { url: 'postgresql://there' }])
      expect(withDatabaseUrl({ store })).toEqual({ store })
    vi.stubEnv('DATABASE_URL', undefined)
    expect(withDatabaseUrl({ store: {} })).toEqual({ store: {} })
  })

  it('is not another one where the variable is empty', () => {
    vi.stubEnv('SVC_DATABASE_URL', undefined)
    vi.stubEnv('DATABASE_URL', '')
    expect(() => withDatabaseUrl({ store: {} })).toThrow('DATABASE_URL is empty')
  })
})
