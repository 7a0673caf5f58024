import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** A key is short; a larger file is some other one. */
const largest = 4_096

/**
 * Reads a secret from a file that its owner alone may read. The permissions are those of the file
 * that is read, whatever happens to its name meanwhile.
 *
 * @returns the text without white space around it
 * @throws ServiceError naming the file and what to do, never what is in it
 */
export async function readKeyFile(path: string): Promise<string> {
  // A pipe would make the opening wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  const file = await open(path, flags).catch((cause) => {
    throw refused(
      `key file ${path} cannot be read`,
      'Is the path right, and the file yours?',
      cause,
    )
  })
  try {
    const found = await file.stat()
    if (!found.isFile())
      throw refused(`key file ${path} is not a file`, 'Set the path of a regular file.')
    if (found.size > largest)
      throw refused(`key file ${path} is too large`, 'Is it the right file?')
    const others = found.mode & 0o077
    if (others !== 0 && process.platform !== 'win32') {
      const mode = (found.mode & 0o777).toString(8).padStart(3, '0')
      throw refused(`key file ${path} can be read by others (mode ${mode})`, `chmod 600 ${path}`)
    }
    const bytes = Buffer.alloc(largest)
    const { bytesRead } = await file.read(bytes, 0, largest, 0)
    return bytes.toString('utf8', 0, bytesRead).trim()
  } finally {
    await file.close()
  }
}

const refused = (message: string, hint: string, cause?: unknown) =>
  new ServiceError(message, { code: -32603, clause: 'the configuration', hint, cause })
