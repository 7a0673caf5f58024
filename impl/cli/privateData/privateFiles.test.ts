import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfidentialFile } from './confidentialFile.ts'
import { domainOf } from './domainOption.ts'
import { readIdentityFile } from './identityFile.ts'
import { readLinkSignature } from './linkSignature.ts'
import { readPrivateFiles } from './privateArgs.ts'

let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-private-files-'))
  path = join(folder, 'data.json')
})
afterAll(() => rm(folder, { recursive: true }))

/** What no message may contain. */
const secret = 'Lovelace'
const now = () => Date.parse('2026-02-28T12:00:00Z')
const address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/** The message of an error, with hint and exit code, after the folder. */
async function refusal(read: () => Promise<unknown>): Promise<string> {
  const error = await read().then(
    () => undefined,
    (thrown: Error & { hint: string; exitCode: number }) => thrown,
  )
  expect(error).toBeDefined()
  expect(error!.hint).toMatch(/\w/)
  const whole = `${error!.exitCode} ${error!.message} ${error!.hint}`
  expect(whole).not.toContain(secret)
  return `${error!.exitCode} ${error!.message.replace(`${folder}/`, '')}`
}

async function identity(text: string) {
  await writeFile(path, text)
  return await refusal(() => readIdentityFile(path, now))
}
async function list(text: string, dataType = 'blacklist') {
  await writeFile(path, text)
  return await refusal(() => readConfidentialFile(path, dataType))
}

describe('identity files that policies cannot use are refused with their place', () => {
  test.each([
    [`{"name": "${secret}", "status": 7}`, 'data.json:1:32 status is not text'],
    [`{\n  "birthdate": "1990-02-30"\n}`, 'data.json:2:16 birthdate is not a date'],
    ['{"birthdate": "28.02.1990"}', 'data.json:1:15 birthdate is not a date'],
    ['{"birthdate": "0000-01-01"}', 'data.json:1:15 birthdate is not a date'],
    ['{"birthdate": 19900228}', 'data.json:1:15 birthdate is not a date'],
    ['{"birthdate": "2026-03-01"}', 'data.json:1:15 birthdate is in the future'],
    ['{"expiration_date": "2030-1-31"}', 'data.json:1:21 expiration_date is not a date'],
    ['{"expiration_date": null}', 'data.json:1:21 expiration_date is not a date'],
    ['{"expiration_date": "2027-02-29"}', 'data.json:1:21 expiration_date is not a date'],
    ['{"address_country_code": "DEU"}', 'address_country_code is not a country code'],
    ['{"address_country_code": null}', 'address_country_code is not a country code'],
    [`["${secret}"]`, 'data.json:1:1 is not a JSON object'],
    ['null', 'data.json:1:1 is not a JSON object'],
    [`{"name": ${secret}}`, 'data.json:1:10 is not JSON'],
    [`{"name": "${secret}",\n}`, 'data.json:2:1 is not JSON'],
    [`{"name": "${secret}`, 'data.json:1:19 is not JSON'],
    ['', 'data.json:1:1 is not JSON'],
    [`\ufeff{"name": "${secret}"}`, 'data.json:1:1 is not JSON'],
    [`{"name": "${secret}"} x`, 'is not JSON'],
    [`{"name": "${secret}", "name": "x"}`, 'data.json:1:22 has a name twice'],
  ])('%j', async (text, expected) => {
    expect(await identity(text)).toMatch(/^1 /)
    expect(await identity(text)).toContain(expected)
  })

  test('and too large ones, other encodings, missing files, data in place of a file', async () => {
    expect(await identity(`{"a": "${'x'.repeat(64 * 1024)}"}`)).toContain('larger than')
    await writeFile(path, Buffer.from([0x7b, 0xff, 0x7d]))
    expect(await refusal(() => readIdentityFile(path, now))).toContain('is not UTF-8 text')
    const missing = () => readIdentityFile(join(folder, 'none.json'), now)
    expect(await refusal(missing)).toContain('does not exist')
    const inline = () => readIdentityFile(`{"name": "${secret}"}`, now)
    expect(await refusal(inline)).toContain('not accepted on the command line')
  })
})

test('an identity is sealed as it is written', async () => {
  const text = `{ "status": "approved", "birthdate": "2000-02-29",\n "expiration_date": "2030-01-31", "address_country_code": "de", "name": "${secret}" }`
  await writeFile(path, text)
  expect(Buffer.from(await readIdentityFile(path, now)).toString()).toBe(text)
  await writeFile(path, '{}')
  expect(await readIdentityFile(path, now)).toHaveLength(2)
})

describe('lists that policies cannot use are refused with their place', () => {
  test.each([
    ['{}', 'blacklist', 'data.json:1:1 has no entries'],
    ['{"values": {}}', 'allowlist', 'data.json:1:1 has no entries'],
    ['{}', 'prices', 'data.json:1:1 has neither entries nor values'],
    ['{"entries": {}}', 'blacklist', 'data.json:1:13 entries is not an array'],
    [
      `{"entries": ["${address}",\n "${secret}"]}`,
      'blacklist',
      'data.json:2:2 entries[1] is not an address',
    ],
    [`{"entries": ["${address}0"]}`, 'blacklist', 'entries[0] is not an address'],
    [`{"entries": [7]}`, 'prices', 'entries[0] is not an address'],
    [`{"entries": ["${address}"], "values": []}`, 'blacklist', 'values is not an object'],
    [`{"entries": ["${address}"], "entries": []}`, 'blacklist', 'has a name twice'],
  ])('%s of a provider of %s', async (text, dataType, expected) => {
    expect(await list(text, dataType)).toContain(expected)
  })

  test('and others are counted', async () => {
    await writeFile(path, `{"entries": ["${address}", "${address.toLowerCase()}"]}`)
    expect(await readConfidentialFile(path, 'blacklist')).toMatchObject({ entries: 2 })
    await writeFile(path, '{"values": {"rate": 2}}')
    expect(await readConfidentialFile(path, 'prices')).toMatchObject({ entries: 0 })
  })
})

test('files of --private', async () => {
  await writeFile(path, `{"name": "${secret}"}`)
  expect(await readPrivateFiles([`bid=${path}`])).toEqual(new Map([['bid', { name: secret }]]))
  const rest: [string[], string][] = [
    [[path], '--private is not NAME=FILE'],
    [[`a b=${path}`], '--private is not NAME=FILE'],
    [[`bid=${path}`, `bid=${path}`], '--private has the name bid twice'],
    [[`bid={"name": "${secret}"}`], 'not accepted on the command line'],
    ['abcdefghi'.split('').map((name) => `${name}=${path}`), '--private is given 9 times'],
  ]
  for (const [given, expected] of rest)
    expect(await refusal(() => readPrivateFiles(given))).toContain(expected)
})

test('domains are 32 bytes, or names', () => {
  expect(domainOf(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  expect(domainOf('kyc')).toBe('0xa29cad97d4110e8822dedef32879f84a8e8889bf965ff9c57998689e2fdafbc4')
  for (const text of ['', '0x12', `0x${'ab'.repeat(33)}`, 'two words', 'ä'])
    expect(() => domainOf(text)).toThrow('is not a domain')
})

test('what is no signature of a link is refused', async () => {
  for (const text of ['', '{}', '{"signature": "0x00"}']) {
    await writeFile(path, text)
    expect(await refusal(() => readLinkSignature(path))).toContain('is not a signature of a link')
  }
})
