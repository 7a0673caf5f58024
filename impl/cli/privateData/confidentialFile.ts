import { maxConfidentialBytes } from 'polgate-client/privateData/checks.ts'
import { readDataFile } from './dataFile.ts'

/** Types whose data is a list of addresses. */
const lists: readonly string[] = ['blacklist', 'allowlist']

/**
 * Reads confidential data as policies need it: `entries` is a list of addresses, `values` an object. Policies fail with
 * anything else.
 *
 * @param dataType of the provider: a blacklist or allowlist needs `entries`
 * @returns the bytes of the file, and how many entries it has
 * @throws CommandError with the place, without the content
 */
export async function readConfidentialFile(
  path: string,
  dataType: string,
): Promise<{ readonly bytes: Uint8Array; readonly entries: number }> {
  const file = await readDataFile(path, maxConfidentialBytes)
  const { entries, values } = file.value
  if (entries === undefined && (lists.includes(dataType) || values === undefined))
    throw file.refuse(
      [],
      lists.includes(dataType) ? `has no entries` : 'has neither entries nor values',
      'A list is {"entries": ["0x...", ...]}; other data is {"values": {"key": ...}}.',
    )
  if (entries !== undefined && !Array.isArray(entries))
    throw file.refuse(['entries'], 'entries is not an array', 'It is a list of addresses.')
  const at = (entries ?? []).findIndex((entry) => !isAddress(entry))
  if (at >= 0)
    throw file.refuse(
      ['entries', at],
      `entries[${at}] is not an address`,
      'An address is 0x and 40 hex digits.',
    )
  if (
    values !== undefined &&
    (typeof values !== 'object' || values === null || Array.isArray(values))
  )
    throw file.refuse(['values'], 'values is not an object', 'It has a value for each key.')
  return { bytes: file.bytes, entries: entries?.length ?? 0 }
}

const isAddress = (entry: unknown) => typeof entry === 'string' && /^0x[0-9a-fA-F]{40}$/.test(entry)
