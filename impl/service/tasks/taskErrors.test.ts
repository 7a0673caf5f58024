import { describe, expect, test } from 'vitest'
import { StoreError } from '../store/storeError.ts'
import { asTaskFailure } from './taskErrors.ts'

describe('an unexpected error as a task failure', () => {
  test('reports a store outage as recoverable', () => {
    const cause = new StoreError('connect ECONNREFUSED 10.0.0.7:5432', {
      code: 'unavailable',
      hint: 'Start the server.',
    })
    expect(asTaskFailure(cause)).toMatchObject({
      message: 'Service unavailable: send the task again',
      failureType: 'internal_error',
      recoverable: true,
      cause,
    })
  })

  test('does not expose the cause', () => {
    const cause = new TypeError("Cannot read properties of undefined (reading 'secret')")
    expect(asTaskFailure(cause)).toMatchObject({ message: 'Internal error', cause })
  })
})
