import { expect, test } from 'vitest'
import { checkedOptions, type StackOptions } from './stackOptions.ts'
import { startStack } from './startStack.ts'

function refusalOf(options: unknown): string {
  try {
    checkedOptions(options as StackOptions)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

test('known options are accepted, and left out', () => {
  expect(refusalOf({})).toBe('accepted')
  const all = {
    ...{ brand: 'acme', operators: 3, chainId: 1, allowedOracleHosts: ['127.0.0.1:80'] },
    ...{ log: () => {}, logLevel: 'warn', startTimeout: 1_000 },
  }
  expect(refusalOf(all)).toBe('accepted')
  expect(refusalOf({ brand: undefined })).toBe('accepted')
})

test.each([
  [{ operator: 2 }, 'Unknown option "operator" of a stack. Did you mean operators?'],
  [{ chainid: 2 }, 'Unknown option "chainid" of a stack. Did you mean chainId?'],
  [{ toString: 1 }, /^Unknown option "toString" of a stack\. Known options: brand, operators/],
  [
    { operators: 0 },
    'The option operators of a stack must be a whole number from 1 to 4. It is 0.',
  ],
  [{ operators: 5 }, /must be a whole number from 1 to 4\. It is 5/],
  [{ operators: '2' }, /It is "2"/],
  [
    { brand: 'Acme!' },
    /must be 1 to 31 lower-case letters and digits, a letter first\. It is "Acme!"/,
  ],
  [{ chainId: 1.5 }, /must be a whole number from 1 to 4294967295/],
  [{ allowedOracleHosts: ['https://a.example'] }, /must be a list of host:port/],
  [{ log: 'stderr' }, /must be a function that takes a line\. It is "stderr"/],
  [{ logLevel: 'loud' }, /must be one of fatal, error, warn, info, debug, trace, silent/],
  [{ startTimeout: -1 }, /must be a whole number from 1/],
  [[], /must be an object/],
  [null, /must be an object/],
])('%j is refused', (options, message) => {
  expect(refusalOf(options)).toMatch(message)
})

test('an invalid option starts nothing', async () => {
  await expect(startStack({ operators: 9 })).rejects.toMatchObject({
    name: 'TestingError',
    code: 'option',
  })
})
