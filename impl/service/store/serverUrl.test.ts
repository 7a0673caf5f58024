import { describe, expect, it } from 'vitest'
import { checkScheme, describeUrl, notOpened } from './serverUrl.ts'

describe('a connection string', () => {
  it.each([
    ['postgres://svc:PASSWORD@db.example:5433/svc', 'the PostgreSQL database db.example:5433/svc'],
    ['postgres://svc@[::1]/svc?sslmode=require', 'the PostgreSQL database [::1]/svc'],
    ['PASSWORD', 'a PostgreSQL database'],
    ['postgres://svc:PASS/WORD@db.example/svc', 'a PostgreSQL database'],
    ['postgres://svc:12/PASSWORD@db.example/svc', 'a PostgreSQL database'],
    ['postgres://svc:12#PASSWORD@db.example/svc', 'a PostgreSQL database'],
    ['postgres://svc:12?PASSWORD@db.example/svc', 'a PostgreSQL database'],
    ['socket:/run/postgresql?db=svc', 'a PostgreSQL database'],
  ])('%s is described as %s', (url, description) => {
    expect(describeUrl(url)).toBe(description)
    for (const code of [undefined, 'ENOTFOUND', 'ERR_INVALID_URL', '28P01', '3D000'])
      expect(notOpened(url, { code, message: url }).message).not.toMatch(/PASS|WORD|svc:/)
  })

  it('without a server is rejected before any look-up', () => {
    for (const url of ['PASSWORD', 'mysql://svc@db/svc', 'http://db/svc'])
      expect(() => checkScheme(url)).toThrow('Invalid connection string of a PostgreSQL server')
    for (const url of ['postgres://db/svc', 'postgresql://db/svc', '/run/postgresql svc'])
      expect(() => checkScheme(url)).not.toThrow()
  })

  it.each([
    ['28P01', /Login rejected by the PostgreSQL database db\/svc \(28P01\)/],
    ['3D000', /The database does not exist: the PostgreSQL database db\/svc \(3D000\)/],
    ['ECONNREFUSED', /^The PostgreSQL database db\/svc cannot be reached \(ECONNREFUSED\)/],
  ])('that cannot be opened reports why: %s', (code, message) => {
    const error = notOpened('postgres://svc@db/svc', { code })
    expect(error.message).toMatch(message)
    expect(error.code).toBe('unavailable')
  })
})
