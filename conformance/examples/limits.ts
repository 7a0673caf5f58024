import { defineCheck } from 'polgate-conformance'

/** The agreement with our users promises more than the specification. */
export const publicKeyIsStable = defineCheck({
  id: 'acme.keys.stable',
  title: 'the public key of secrets stays the same between two calls',
  level: 'must',
  clause: 'ACME-7: clients may cache the public key for a day',
  run: async (t) => {
    const read = async () => t.expect.result(await t.call('getSecretsPublicKey', {}))
    t.expect.equal(await read(), await read(), 'the public key')
  },
})

/** A refusal proves something only next to the valid request. */
export const unknownMethod = defineCheck({
  id: 'acme.methods.unknown',
  title: 'a method without a name is refused as unknown',
  level: 'should',
  twin: 'the same call of a method that exists',
  run: async (t) => {
    await t.twin(async () => t.expect.result(await t.call('getSecretsPublicKey', {})))
    t.expect.error(await t.call('noSuchMethod', {}), -32601)
    t.observe(`answered by ${t.target.name}`)
  },
})
