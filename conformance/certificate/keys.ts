import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import { CannotRun } from '../core/conformanceError.ts'

const longestKeyFile = 16_384

function read(file: string): string {
  try {
    if (statSync(file).size > longestKeyFile) throw new Error('it is too large for a key')
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CannotRun(
      `cannot read the key ${file}: ${(cause as Error).message}`,
      'Create one with: polgate verify --new-key FILE',
      cause,
    )
  }
}

function expectEd25519(key: KeyObject, file: string): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519')
    throw new CannotRun(
      `the key ${file} is ${key.asymmetricKeyType ?? 'of unknown type'}, not Ed25519`,
      'Create one with: polgate verify --new-key FILE',
    )
  return key
}

/** A private key from a PEM file (PKCS #8, Ed25519). */
export function loadPrivateKey(file: string): KeyObject {
  const text = read(file)
  try {
    return expectEd25519(createPrivateKey(text), file)
  } catch (error) {
    if (error instanceof CannotRun) throw error
    // The cause may quote the file, and with it the key.
    throw new CannotRun(
      `${file} contains no private key in PEM`,
      'A PEM private key begins with BEGIN PRIVATE KEY.',
    )
  }
}

/** A public key from a PEM file (SPKI, Ed25519). A private key is rejected. */
export function loadPublicKey(file: string): KeyObject {
  const text = read(file)
  if (text.includes('PRIVATE KEY'))
    throw new CannotRun(
      `${file} is a private key; a certificate is verified with a public key`,
      'Use the public key in the file that ends with .pub.',
    )
  try {
    return expectEd25519(createPublicKey(text), file)
  } catch (error) {
    if (error instanceof CannotRun) throw error
    throw new CannotRun(
      `${file} contains no public key in PEM`,
      'A PEM public key begins with BEGIN PUBLIC KEY.',
    )
  }
}

/**
 * Writes a new Ed25519 key pair: the private key to `file`, readable by its owner only, the public
 * key to `file.pub`. Never overwrites a file.
 */
export function makeKeyPair(file: string): { readonly publicFile: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const publicFile = `${file}.pub`
  try {
    mkdirSync(dirname(file), { recursive: true })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' })
    replaceFileSync(file, pem, { mode: 0o600, exclusive: true })
    replaceFileSync(publicFile, publicPem, { exclusive: true })
  } catch (cause) {
    throw new CannotRun(
      `cannot write the key ${file}: ${(cause as Error).message}`,
      'Choose an unused name in a writable directory.',
      cause,
    )
  }
  return { publicFile }
}
