import { expect, test } from 'vitest'
import { stringify } from '../values/json.ts'
import type { Value } from '../values/value.ts'
import { call } from './builtinCalls.fixture.ts'

const config = {
  aws_access_key: 'a',
  aws_secret_access_key: 'b',
  aws_region: 'r',
  aws_service: 's3',
}

/** How the signature of a request begins in OPA 1.2; undefined for what is not a URL there. */
test.each([
  ['abc', 'd735871261f359fb'],
  ['http://a.b/c?d=e#f', '2731bc1015a56508'],
  ['//h/x', 'dd4a653d676c41e6'],
  ['/x', 'fb1c725d9a7f04e9'],
  ['', 'ca8e68fe42721ca3'],
  ['mailto:a', 'ca8e68fe42721ca3'],
  ['http://u:p@h:8/x', '11016d9ca9a5f502'],
  ['http://a b', undefined],
  ['http://h/a b', '5579def1142f881b'],
  ['http://h/%41', '0e2614057c5423b4'],
  ['http://h/é', '16de436a6cdb3041'],
  ['http://h/[x]', 'a38e34365c50883d'],
  ['http://h?q', '972b6c2721f61296'],
  ['a?b', '7e14547492109b03'],
  ['*', 'ff928d9949ea1ffa'],
  ['http://[::1]:8/x', '310341f0530bf673'],
  ['HTTP://H/X', '8cabfea948d4ce4a'],
  ['http://h//x', 'e7a2ed7d7332fa78'],
  ['http://h/a%zz', undefined],
  ['?q=1', '4881a02eef1b0a0c'],
  ['#f', 'ca8e68fe42721ca3'],
  ['http://h/a^b', 'cd9a2e36fee02ecb'],
] as const)('a request to %s', (url, signature) => {
  const sign = () =>
    stringify(call('providers.aws.sign_req', { method: 'get', url }, config, 1) as Value)
  if (signature === undefined) expect(sign).toThrow('invalid URL')
  else expect(sign()).toContain(`Signature=${signature}`)
})
