import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { CommandError } from '../commandDefinition.ts'

export type SecretOptions = {
  /** A variable that has the secret. */
  readonly secretEnv?: string
  /** A file that has the secret; it is created if it does not exist. */
  readonly secretFile?: string
}

/** Of the service (section 4.9). */
const longest = 1024

/**
 * The secret that the service signs with. The local program needs the same one: it is in a variable or in a
 * file that only its owner reads, and never printed, where scroll-back buffers and CI logs keep it.
 *
 * @throws CommandError, which contains no secret
 */
export async function webhookSecret({ secretEnv, secretFile }: SecretOptions): Promise<string> {
  if (secretEnv !== undefined && secretFile !== undefined)
    throw new CommandError('--secret-env and --secret-file exclude each other', {
      hint: 'Use one of them.',
    })
  if (secretEnv !== undefined) return fromVariable(secretEnv)
  const created = randomBytes(32).toString('base64url')
  return secretFile === undefined ? created : await fromFile(secretFile, created)
}

function fromVariable(name: string): string {
  const value = /^[A-Za-z_]\w{0,99}$/.test(name) ? process.env[name] : undefined
  if (value === undefined || value === '')
    throw new CommandError('--secret-env is not the name of a variable that is set', {
      hint: 'It takes the name of the variable, not the secret: --secret-env WEBHOOK_SECRET.',
    })
  return checked(value, `the variable ${name}`)
}

async function fromFile(path: string, created: string): Promise<string> {
  try {
    await replaceFile(path, `${created}\n`, { mode: 0o600, exclusive: true })
    return created
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, cause)
  }
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unusable(path, cause)
  })
  return checked(text.trim(), path)
}

const unusable = (path: string, cause: unknown) =>
  new CommandError(
    `${path} cannot be read or written: ${(cause as NodeJS.ErrnoException).code ?? 'failed'}`,
    { hint: 'Name a file in a folder that you can write to.', cause },
  )

function checked(secret: string, where: string): string {
  if (secret !== '' && secret.length <= longest) return secret
  throw new CommandError(`${where} has no secret of 1 to ${longest} characters`, {
    hint: 'Use for example 32 random bytes in base64url; --secret-file creates them for a new file.',
  })
}
