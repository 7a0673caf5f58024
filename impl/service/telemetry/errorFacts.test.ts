import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { describe, expect, it } from 'vitest'
import { OracleError } from '../oracles/oracleError.ts'
import { StatementError } from '../store/database.ts'
import { errorFacts, longestErrorText } from './errorFacts.ts'

describe('what a span says about an error', () => {
  it('is the text and code of an error of the service', () => {
    expect(errorFacts(new OracleError('trap', 'trap: unreachable'))).toEqual({
      type: 'trap',
      message: 'WASM execution failed: trap: unreachable',
    })
    const denied = new ServiceError('Invalid API key', { code: -32001, clause: 'section 7.3' })
    expect(errorFacts(denied)).toEqual({ type: '-32001', message: 'Invalid API key' })
  })

  it('is bounded', () => {
    const long = new OracleError('result', 'x'.repeat(100_000))
    expect(errorFacts(long).message.length).toBeLessThan(longestErrorText + 40)
    const odd = Object.assign(new Error('x'), { code: 'y'.repeat(5_000) })
    expect(errorFacts(odd).type.length).toBeLessThan(100)
  })

  it.each([
    ['a library', new TypeError('fetch http://user:pass@host/secret failed')],
    [
      'the system',
      Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' }),
    ],
    ['the database', new StatementError({ message: 'value "hush" is invalid', code: '22P02' })],
    ['a thrown text', 'hush'],
    ['nothing', undefined],
  ])('has no text of %s', (_, error) => {
    expect(errorFacts(error).message).toBe('')
    expect(errorFacts(error).type).not.toContain('hush')
  })
})
