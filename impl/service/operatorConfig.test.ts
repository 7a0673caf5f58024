import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSecrets, type OperatorConfigInput, parseOperatorConfig } from './operatorConfig.ts'

const key = '5a'.repeat(32)
const token = 'a-token-that-nobody-may-see'
let directory: string
const at = (name: string) => join(directory, name)

const basic: OperatorConfigInput = {
  token,
  address: `0x${'ab'.repeat(20)}`,
  blsKey: key,
  secretsKey: key,
  chainId: 1,
  content: { directory: 'content' },
  oracles: { cacheDir: 'cache' },
}
const load = (changed: OperatorConfigInput) =>
  loadSecrets(parseOperatorConfig({ ...basic, ...changed }))

async function file(name: string, text: string, mode: number): Promise<string> {
  await writeFile(at(name), text)
  await chmod(at(name), mode)
  return at(name)
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-operator-config-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('operator secrets', () => {
  it('are read from the configuration', async () => {
    expect(await load({})).toEqual({
      token,
      blsKey: key,
      secretsKey: key,
      thresholdKey: undefined,
    })
  })

  it('are read from files, with or without 0x prefix and newline', async () => {
    const members = [1, 2].map((digit) => ({
      address: `0x${String(digit).repeat(40)}` as const,
      publicKey: `${digit}`.repeat(64),
    }))
    const link = at('link')
    await symlink(await file('bls.key', `0x${key}\n`, 0o600), link)
    const secrets = await load({
      token: undefined,
      tokenFile: await file('token', `${token}\n`, 0o400),
      blsKey: undefined,
      blsKeyFile: link,
      secretsKey: undefined,
      secretsKeyFile: await file('secrets.key', key, 0o600),
      threshold: {
        keyFile: await file('threshold.key', key, 0o600),
        needed: 2,
        members,
        directory,
      },
    })
    expect(secrets).toEqual({ token, blsKey: `0x${key}`, secretsKey: key, thresholdKey: key })
  })

  it.each([
    ['group can read', 0o640],
    ['world can read', 0o604],
    ['world can write', 0o602],
    ['everyone can read', 0o644],
  ])('are not read from a file that its %s', async (_, mode) => {
    const path = await file(`mode-${mode}.key`, key, mode)
    const failed = load({ blsKey: undefined, blsKeyFile: path })
    await expect(failed).rejects.toMatchObject({
      message: `key file ${path} can be read by others (mode ${mode.toString(8)})`,
      hint: `chmod 600 ${path}`,
    })
  })

  it('are given exactly once and are validated', async () => {
    const good = await file('good.key', key, 0o600)
    const odd = await file('odd.key', 'not a key but still a secret', 0o600)
    const large = await file('large.key', 'x'.repeat(5_000), 0o600)
    execFileSync('sh', ['-c', 'mkfifo -m 600 "$0"', at('pipe')])
    const without = { blsKey: undefined }
    for (const [changed, text] of [
      [{ blsKeyFile: good }, 'both blsKey and blsKeyFile are set'],
      [without, 'neither blsKey nor blsKeyFile is set'],
      [{ ...without, blsKeyFile: at('none') }, 'cannot be read'],
      [{ ...without, blsKeyFile: directory }, 'is not a file'],
      [{ ...without, blsKeyFile: at('pipe') }, 'is not a file'],
      [{ ...without, blsKeyFile: large }, 'is too large'],
      [{ ...without, blsKeyFile: odd }, 'blsKeyFile does not contain a valid blsKey'],
    ] as const) {
      const error = await load(changed as OperatorConfigInput).catch((reason: Error) => reason)
      expect((error as Error).message).toContain(text)
      expect(JSON.stringify([(error as Error).message, error])).not.toContain('still a secret')
    }
  })

  it('do not appear in the error for an invalid configuration', () => {
    expect(() => parseOperatorConfig({ ...basic, blsKey: 'still-a-secret' })).toThrow(
      /^Invalid configuration: blsKey must match pattern/,
    )
    expect(() => parseOperatorConfig({ ...basic, token: 'short-secret' })).not.toThrow(
      'short-secret',
    )
  })
})
