import { defaultBrand } from 'polgate-protocol/brand.ts'
import { expect, test } from 'vitest'
import { brandOption } from './brandOption.ts'

test.each([
  [[], {}],
  [
    ['acme'],
    {
      methodPrefix: 'acme_',
      topicPrefix: 'acme.task.',
      signatureHeader: 'X-Acme-Signature',
      networkHeader: 'X-Acme-Network',
    },
  ],
  [['methods=acme'], { methodPrefix: 'acme_' }],
  [['methods=acme.'], { methodPrefix: 'acme.' }],
  [['topics=acme'], { topicPrefix: 'acme.task.' }],
  [['topics=acme/tasks/'], { topicPrefix: 'acme/tasks/' }],
  [['headers=acme'], { signatureHeader: 'X-Acme-Signature', networkHeader: 'X-Acme-Network' }],
  [['signature-header=Acme-Sig'], { signatureHeader: 'Acme-Sig' }],
  [['network-header=acme'], { networkHeader: 'X-Acme-Network' }],
  [['host-interface=acme'], { witPackage: 'acme:provider' }],
  [['host-interface=acme:oracle-host'], { witPackage: 'acme:oracle-host' }],
  [['rego-namespace=acme'], { regoNamespace: 'acme' }],
  [['rego-namespace=acme_ext'], { regoNamespace: 'acme_ext' }],
  [
    ['methods=acme, topics=acme', 'methods=other'],
    { methodPrefix: 'other_', topicPrefix: 'acme.task.' },
  ],
])('--brand %j', (given, changed) => {
  expect(brandOption(given)).toEqual({ ...defaultBrand, ...changed })
})

test.each([
  ['Acme', 'is not the name of a brand'],
  ['', 'is not the name of a brand'],
  ['acme,', 'is not the name of a brand'],
  ['method=acme', '"method" is not a part of a brand'],
  ['constructor=acme', '"constructor" is not a part of a brand'],
  ['methods=', '"" cannot be the name of methods'],
  ['methods=rpc.', '"rpc." cannot be the name of methods'],
  ['methods=a b', 'cannot be the name of methods'],
  ['topics=*', 'cannot be the name of topics'],
  ['headers=X-Acme', 'cannot be the name of both headers'],
  ['signature-header=Content-Type', 'cannot be the name of signature-header'],
  ['network-header=x-api-key', 'cannot be the name of network-header'],
  ['network-header=a:b', 'cannot be the name of network-header'],
  ['host-interface=wasi:http', 'cannot be the name of host-interface'],
  ['host-interface=acme:', 'cannot be the name of host-interface'],
  ['rego-namespace=data', undefined],
  ['rego-namespace=a.b', 'cannot be the name of rego-namespace'],
])('--brand %j is refused', (given, text) => {
  expect(() => brandOption([given])).toThrow(text ?? 'cannot be the name of rego-namespace')
})
