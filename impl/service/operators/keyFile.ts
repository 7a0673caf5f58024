import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** A key is short; a larger file is not a key file. */
const maxBytes = 4_096

/**
 * Reads a secret from a file that only its owner may read. Permissions are checked on the opened
 * file, so that renaming it cannot bypass the check.
 *
 * @returns the text without surrounding white space
 * @throws ServiceError with the file and a hint, never with content
 */
export async function readKeyFile(path: string): Promise<string> {
  // Opening a pipe would otherwise block until there is a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  const file = await open(path, flags).catch((cause) => {
    throw refused(
      `key file ${path} cannot be read`,
      'Check the path and the owner of the file.',
      cause,
    )
  })
  try {
    const found = await file.stat()
    if (!found.isFile())
      throw refused(`key file ${path} is not a file`, 'Set the path of a regular file.')
    if (found.size > maxBytes)
      throw refused(`key file ${path} is too large`, 'Check that it is the right file.')
    const others = found.mode & 0o077
    if (others !== 0 && process.platform !== 'win32') {
      const mode = (found.mode & 0o777).toString(8).padStart(3, '0')
      throw refused(`key file ${path} can be read by others (mode ${mode})`, `chmod 600 ${path}`)
    }
    const bytes = Buffer.alloc(maxBytes)
    const { bytesRead } = await file.read(bytes, 0, maxBytes, 0)
    return bytes.toString('utf8', 0, bytesRead).trim()
  } finally {
    await file.close()
  }
}

const refused = (message: string, hint: string, cause?: unknown) =>
  new ServiceError(message, { code: -32603, clause: 'the configuration', hint, cause })
