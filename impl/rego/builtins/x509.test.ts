import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { toJson } from '../values/json.ts'
import { call, callWith, testContext } from './builtinCalls.fixture.ts'

// Made for this test: Root signs Mid, Mid signs svc.example; valid for a hundred years from 2026.
const ROOT = `-----BEGIN CERTIFICATE-----
MIIBoDCCAUWgAwIBAgIUEkWXiIJecLbdHD6NR44J0Urghe4wCgYIKoZIzj0EAwIw
KzELMAkGA1UEBhMCQ0gxDTALBgNVBAoMBFRlc3QxDTALBgNVBAMMBFJvb3QwIBcN
MjYxMTIxMDQyMTA1WhgPMjEyNjEwMjgwNDIxMDVaMCsxCzAJBgNVBAYTAkNIMQ0w
CwYDVQQKDARUZXN0MQ0wCwYDVQQDDARSb290MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEnwdIpJldeFuUfWqhU8pCRQjAbUQeiZz20zzMYwRfTf8bms/pyvMOPvmb
YDstdOjfZRyiDbthspl4skk+Q15v0aNFMEMwEgYDVR0TAQH/BAgwBgEB/wIBATAO
BgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFCGqtm18hQUDvNjMKhqa9skDXVpOMAoG
CCqGSM49BAMCA0kAMEYCIQC7DFeUFxQmoqs2z5odLIVA2Sh2wn6Dxy/UiIxKSOQl
bQIhAMEQgx0YFt66bdk18X6d5OKpyCOrVer0HylmL9CILZBh
-----END CERTIFICATE-----
`
const MID = `-----BEGIN CERTIFICATE-----
MIIBjTCCATOgAwIBAgIBAjAKBggqhkjOPQQDAjArMQswCQYDVQQGEwJDSDENMAsG
A1UECgwEVGVzdDENMAsGA1UEAwwEUm9vdDAgFw0yNjExMjEwNDIxMDVaGA8yMTI2
MTAyODA0MjEwNVowDjEMMAoGA1UEAwwDTWlkMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEVZhx8ctioxzBAv9WTuAq12XXGeUNdE8gqeN9bq9Envhg5afifa9fPumE
/d5iO4GjokllNdJ4zH6hfIy0aIMT+qNjMGEwEgYDVR0TAQH/BAgwBgEB/wIBADAL
BgNVHQ8EBAMCAgQwHwYDVR0jBBgwFoAUIaq2bXyFBQO82MwqGpr2yQNdWk4wHQYD
VR0OBBYEFAp72oSrTKZEUWc9gXMPNcbiw5jKMAoGCCqGSM49BAMCA0gAMEUCIHx9
2zOYqoh84PHsyex3Dpw8qOSNGA3GBkiCNMwd8sgtAiEAtqBWLEKEykG1878ZJBYQ
F0RP/rYD4AkZ4TnDU96nNxE=
-----END CERTIFICATE-----
`
const LEAF = `-----BEGIN CERTIFICATE-----
MIICVDCCAfqgAwIBAgIBAzAKBggqhkjOPQQDAjAOMQwwCgYDVQQDDANNaWQwIBcN
MjYxMTIxMDQyMTA1WhgPMjEyNjEwMjgwNDIxMDVaMC4xFDASBgNVBAMMC3N2Yy5l
eGFtcGxlMQowCAYDVQQLDAFhMQowCAYDVQQLDAFiMFkwEwYHKoZIzj0CAQYIKoZI
zj0DAQcDQgAEcGBQE0Lz2TxF9Eg3tMD/CWvA3++FPyJLP5MByusvZSa/ljCzyoAy
QWrivG12mXiEE5VF4y3msX51widK+k7bbqOCASUwggEhMAkGA1UdEwQCMAAwCwYD
VR0PBAQDAgeAMBgGA1UdJQQRMA8GCCsGAQUFBwMBBgMqAwQwPgYDVR0RBDcwNYIL
c3ZjLmV4YW1wbGWHBAoAAAGHEAAAAAAAAAAAAAAAAAAAAAGGDnNwaWZmZTovL3gv
eT9xMD4GCCsGAQUFBwEBBDIwMDAXBggrBgEFBQcwAYYLaHR0cDovL29jc3AwFQYI
KwYBBQUHMAKGCWh0dHA6Ly9jYTAbBgNVHR8EFDASMBCgDqAMhgpodHRwOi8vY3Js
MBAGA1UdIAQJMAcwBQYDKgMFMB0GA1UdDgQWBBS/wIL6PNvWmvppTVD8DlybMyIn
JDAfBgNVHSMEGDAWgBQKe9qEq0ymRFFnPYFzDzXG4sOYyjAKBggqhkjOPQQDAgNI
ADBFAiBU7GTm6qVH67oidWzrfkBOHXHpwFC0bWom9/8AGIu8CwIhALHQ4UIiFN0g
oyACMxE17JMakcFZPC2GIm0V+4lW5GuP
-----END CERTIFICATE-----
`
// Restricts names and policies in every way.
const RESTRICTED = `-----BEGIN CERTIFICATE-----
MIICMDCCAdagAwIBAgIUUlflzBlpJvNykh+wplsTaJ+1h4swCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKUmVzdHJpY3RlZDAgFw0yNjExMjYwMzQzMzlaGA8yMTI2MTEw
MjAzNDMzOVowFTETMBEGA1UEAwwKUmVzdHJpY3RlZDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABBQh3IXI1HjJYp6RdSPLZ2hdtleqUTD6P6/Gg0NE3+8JY2OGl5P2
T4qPhQFlhzYLfKIQ5YJxMwJM37Km8ZIQ9WWjggEAMIH9MBIGA1UdEwEB/wQIMAYB
Af8CAQAwDgYDVR0PAQH/BAQDAgIEMG8GA1UdHgEB/wRlMGOgPzANggtleGFtcGxl
LmNvbTAKhwgKAAAA/wAAADAihyD9AAAAAAAAAAAAAAAAAAAA/wAAAAAAAAAAAAAA
AAAAAKEgMA2BC2JhZC5leGFtcGxlMA+GDS5ldmlsLmV4YW1wbGUwEAYDVR0gBAkw
BzAFBgMqAwQwEgYDVR0kAQH/BAgwBoABAIEBAjAVBgNVHSEEDjAMMAoGAyoDBAYD
KgMFMAoGA1UdNgQDAgEAMB0GA1UdDgQWBBQcBmG3KVfbYbNvnuPwn+K3cGm/2TAK
BggqhkjOPQQDAgNIADBFAiEAh/6QwFgaLOUw9b06+OK4DRqJOHvNe63ajzEEyH9w
qtYCIHOiY1aJYjPMGEyoK3ExsGuTdXANUlBSOuNh7iCo9rkD
-----END CERTIFICATE-----
`
const LEAF_KEY = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIAeOLy1pz0MD7oSL/v53t+yy9dtslSJ5OMrdgE3851t7oAoGCCqGSM49
AwEHoUQDQgAEcGBQE0Lz2TxF9Eg3tMD/CWvA3++FPyJLP5MByusvZSa/ljCzyoAy
QWrivG12mXiEE5VF4y3msX51widK+k7bbg==
-----END EC PRIVATE KEY-----
`
const REQUEST = `-----BEGIN CERTIFICATE REQUEST-----
MIIBETCBuQIBADAuMRQwEgYDVQQDDAtzdmMuZXhhbXBsZTEKMAgGA1UECwwBYTEK
MAgGA1UECwwBYjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHBgUBNC89k8RfRI
N7TA/wlrwN/vhT8iSz+TAcrrL2Umv5Yws8qAMkFq4rxtdpl4hBOVReMt5rF+dcIn
SvpO226gKTAnBgkqhkiG9w0BCQ4xGjAYMBYGA1UdEQQPMA2CC3N2Yy5leGFtcGxl
MAoGCCqGSM49BAMCA0cAMEQCIFZZpOnEJssdeYOEsGiIyoTRUcaVciYAQw/BIHe0
4FGxAiBnBkUEPsxtlgw6XONB1DtSkND1nO8by1zIBAjb3YP/6A==
-----END CERTIFICATE REQUEST-----
`

const CHAIN = ['svc.example', 'Mid', 'Root']

const NOW = 1_800_000_000_000_000_000n

type Shown = { readonly Subject: { readonly CommonName: string } } & Record<string, unknown>

function verifiedChain(chain: string, options?: object): [valid: boolean, certificates: Shown[]] {
  const ctx = testContext({ nowNs: NOW })
  const name = 'crypto.x509.parse_and_verify_certificates'
  const answer =
    options === undefined
      ? callWith(ctx, name, chain)
      : callWith(ctx, `${name}_with_options`, chain, options)
  return toJson(answer ?? null) as [boolean, Shown[]]
}

function verify(chain: string, options?: object): unknown {
  const [valid, certificates] = verifiedChain(chain, options)
  return [valid, certificates.map(({ Subject }) => Subject.CommonName)]
}

describe('certificates', () => {
  it('are parsed completely', () => {
    const found = toJson(call('crypto.x509.parse_certificates', LEAF + MID) ?? null)
    expect(found).toMatchObject([
      {
        Version: 3,
        SerialNumber: 3,
        SignatureAlgorithm: 10,
        PublicKeyAlgorithm: 3,
        Issuer: { CommonName: 'Mid', Country: null },
        Subject: {
          CommonName: 'svc.example',
          OrganizationalUnit: ['a', 'b'],
          Names: [{ Type: [2, 5, 4, 3], Value: 'svc.example' }, {}, {}],
        },
        KeyUsage: 1,
        ExtKeyUsage: [1],
        UnknownExtKeyUsage: [[1, 2, 3, 4]],
        BasicConstraintsValid: true,
        IsCA: false,
        MaxPathLen: -1,
        DNSNames: ['svc.example'],
        EmailAddresses: null,
        IPAddresses: ['10.0.0.1', '::1'],
        URIStrings: ['spiffe://x/y?q'],
        URIs: [{ Scheme: 'spiffe', Host: 'x', Path: '/y', RawQuery: 'q' }],
        OCSPServer: ['http://ocsp'],
        IssuingCertificateURL: ['http://ca'],
        CRLDistributionPoints: ['http://crl'],
        PolicyIdentifiers: [[1, 2, 3, 5]],
      },
      { IsCA: true, MaxPathLen: 0, MaxPathLenZero: true, KeyUsage: 32 },
    ])
    const der = LEAF.replace(/-----.*-----|\n/g, '')
    expect(toJson(call('crypto.x509.parse_certificates', der) ?? null)).toMatchObject([
      { Raw: der },
    ])
    const pem = Buffer.from(LEAF).toString('base64')
    expect(toJson(call('crypto.x509.parse_certificates', pem) ?? null)).toMatchObject([
      { Raw: der },
    ])
  })

  it('are verified from the last to the first', () => {
    expect(verify(ROOT + MID + LEAF)).toEqual([true, CHAIN])
    expect(verify(ROOT + LEAF)).toEqual([false, []])
    expect(verify(MID + ROOT + LEAF)).toEqual([true, ['svc.example', 'Mid']])
    expect(verify(LEAF + MID + ROOT)).toEqual([false, []])
    expect(verify(ROOT + MID + LEAF, { CurrentTime: 0 })).toEqual([false, []])
    expect(verify(ROOT + MID + LEAF, { DNSName: 'svc.example' })).toEqual([true, CHAIN])
    expect(verify(ROOT + MID + LEAF, { DNSName: 'other.example' })).toEqual([false, []])
    expect(verify(ROOT + MID + LEAF, { KeyUsages: ['KeyUsageClientAuth'] })).toEqual([false, []])
    expect(verify(ROOT + MID + LEAF, { KeyUsages: ['KeyUsageAny'] })).toEqual([true, CHAIN])
    for (const none of [ROOT, '', 'x', `${ROOT}${LEAF.replace('MII', 'MI')}`]) {
      expect(verify(none)).toEqual([false, []])
    }
    expect(verify('x', { none: 1 })).toEqual([false, []])
    const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{ KeyUsages: ['x'] }, "invalid entries for 'KeyUsages' found: [x]"],
      [{ KeyUsages: 'x' }, "'KeyUsages' should be an Array or Set"],
      [{ CurrentTime: 'x' }, "'CurrentTime' should be a number"],
      [{ CurrentTime: 1.5 }, "'CurrentTime' should be a valid int64 number"],
      [{ DNSName: 1 }, "'DNSName' should be a string"],
      [{ MaxConstraintComparisons: 1.5 }, "'MaxConstraintComparisons' should be a valid number"],
      [{ a: 1 }, 'invalid key option'],
    ]
    for (const [options, message] of wrong) {
      expect(() => verify(ROOT + LEAF, options)).toThrow(message)
    }
  })

  it('skips blocks that are not base64', () => {
    const broken = ROOT.replace(/\n./, '\n')
    expect(call('crypto.x509.parse_certificates', broken)).toEqual([])
    expect(call('crypto.x509.parse_certificates', broken + ROOT)).toHaveLength(1)
    expect(call('crypto.x509.parse_rsa_private_key', '-----BEGIN x')).toBeNull()
    expect(toJson(call('crypto.x509.parse_rsa_private_key', LEAF_KEY) ?? null)).toEqual({
      kty: 'EC',
    })
  })

  it('are parsed from requests and with keys', () => {
    expect(toJson(call('crypto.x509.parse_certificate_request', REQUEST) ?? null)).toMatchObject({
      Subject: { CommonName: 'svc.example' },
      DNSNames: ['svc.example'],
      Attributes: [{ Type: [1, 2, 840, 113549, 1, 9, 14], Value: [[{ Type: [2, 5, 29, 17] }]] }],
    })
    expect(toJson(call('crypto.x509.parse_keypair', LEAF, LEAF_KEY) ?? null)).toMatchObject({
      PrivateKey: { D: expect.anything() },
    })
    expect(toJson(call('crypto.parse_private_keys', LEAF_KEY) ?? null)).toMatchObject([
      { X: expect.anything() },
    ])
    expect(() => call('crypto.x509.parse_keypair', MID, LEAF_KEY)).toThrow(
      'private key does not match',
    )
  })

  it('have URIStrings where OPA adds them', () => {
    const [, extended] = verifiedChain(ROOT + MID + LEAF)
    const { URIStrings, ...rest } = extended[0]!
    expect(URIStrings).toEqual(['spiffe://x/y?q'])
    expect(verifiedChain(ROOT + MID + LEAF, {})[1][0]).toEqual(rest)
  })

  it('show the names and policies that they restrict', () => {
    const [shown] = toJson(call('crypto.x509.parse_certificates', RESTRICTED) ?? null) as [object]
    expect(shown).toMatchObject({
      PermittedDNSDomainsCritical: true,
      PermittedDNSDomains: ['example.com'],
      PermittedIPRanges: [
        { IP: '10.0.0.0', Mask: '/wAAAA==' },
        { IP: 'fd00::', Mask: '/wAAAAAAAAAAAAAAAAAAAA==' },
      ],
      PermittedURIDomains: null,
      ExcludedEmailAddresses: ['bad.example'],
      ExcludedURIDomains: ['.evil.example'],
      PolicyIdentifiers: [[1, 2, 3, 4]],
      Policies: ['1.2.3.4'],
      PolicyMappings: [{ IssuerDomainPolicy: '1.2.3.4', SubjectDomainPolicy: '1.2.3.5' }],
      ...{ InhibitAnyPolicy: 0, InhibitAnyPolicyZero: true },
      ...{ InhibitPolicyMapping: 2, InhibitPolicyMappingZero: false },
      ...{ RequireExplicitPolicy: 0, RequireExplicitPolicyZero: true },
      UnhandledCriticalExtensions: null,
    })
  })

  // The answers of OPA 1.2.
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const der = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '')
  const isKey = expect.objectContaining({ kty: 'EC' })
  it.each([
    ['no text', '', 'input PEM data was empty'],
    ['no base64', '!', 'illegal base64'],
    ['PEM after a space', ` ${LEAF_KEY}`, 'illegal base64'],
    ['base64 of other bytes', 'd41d8cd98f00b204e9800998ecf8427e', null],
    ['base64 of a broken block', base64('-----BEGIN x'), null],
    ['DER', der(LEAF_KEY), null],
    ['a certificate', LEAF, null],
    ['a key', LEAF_KEY, isKey],
    ['base64 of a key', base64(LEAF_KEY), isKey],
    ['base64 of base64 of a key', base64(base64(LEAF_KEY)), isKey],
    ['a key after a certificate', LEAF + LEAF_KEY, isKey],
    ['base64 of a key after other lines', base64(`other\n${LEAF_KEY}`), isKey],
  ])('crypto.x509.parse_rsa_private_key of %s', (_, text, expected) => {
    const parsed = () => toJson(call('crypto.x509.parse_rsa_private_key', text) ?? null)
    if (typeof expected === 'string') expect(parsed).toThrow(expected)
    else expect(parsed()).toEqual(expected)
  })

  it('and keys are found in every form that OPA takes', () => {
    expect(call('crypto.parse_private_keys', ` ${LEAF_KEY}`)).toEqual([])
    expect(call('crypto.parse_private_keys', `\n${LEAF_KEY}`)).toHaveLength(1)
    for (const certificate of [LEAF, base64(LEAF), der(LEAF), LEAF_KEY + LEAF])
      for (const key of [LEAF_KEY, base64(LEAF_KEY), der(LEAF_KEY), LEAF + LEAF_KEY]) {
        const pair = toJson(call('crypto.x509.parse_keypair', certificate, key) ?? null)
        expect(pair).toHaveProperty('Leaf.Subject.CommonName', 'svc.example')
        // What OPA adds to the certificates that it parses on their own.
        expect(pair).not.toHaveProperty('Leaf.URIStrings')
      }
    for (const [certificate, key] of [
      [LEAF_KEY, LEAF_KEY],
      [LEAF, LEAF],
      [LEAF, 'YmFk'],
    ] as const)
      expect(() => call('crypto.x509.parse_keypair', certificate, key)).toThrow()
  })

  it('are rejected if invalid, without revealing a key', () => {
    for (const [name, text, message] of [
      ['parse_certificates', 'YmFk', 'x509: malformed certificate'],
      ['parse_certificates', '!', 'illegal base64'],
      ['parse_certificates', LEAF_KEY, 'PEM block type must be CERTIFICATE'],
      ['parse_certificate_request', 'YmFk', 'asn1: structure error'],
    ] as const) {
      expect(() => call(`crypto.x509.${name}`, text), name).toThrow(message)
    }
    const broken = LEAF_KEY.replace(/\n(.{20})/, '\nAAAA$1')
    expect(() => call('crypto.parse_private_keys', broken)).toThrow(
      /^failed to parse the ec private key$/,
    )
  })

  it.each([
    ['modulus', 40, 'crypto/rsa: p * q != n'],
    ['private exponent', 300, 'crypto/rsa: invalid exponents'],
  ])('an RSA key with another %s is rejected', (_, at, message) => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const der = privateKey.export({ type: 'pkcs1', format: 'der' })
    const pem = (): string =>
      `-----BEGIN RSA PRIVATE KEY-----\n${der.toString('base64')}\n-----END RSA PRIVATE KEY-----\n`
    expect(call('crypto.parse_private_keys', pem())).toHaveLength(1)
    der[at]! ^= 1
    expect(() => call('crypto.parse_private_keys', pem())).toThrow(message)
  })
})
