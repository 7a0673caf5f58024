import { maxIdentityBytes } from 'polgate-client/privateData/checks.ts'
import { type DataFile, readDataFile } from './dataFile.ts'

const dates = ['birthdate', 'expiration_date'] as const

/**
 * Reads identity data as the helpers of policies need it: `status` is text, `birthdate` and `expiration_date` are dates
 * that exist, `address_country_code` has two letters. A missing member is no error: the helpers are undefined then.
 *
 * @returns the bytes of the file
 * @throws CommandError with the place, without the content
 */
export async function readIdentityFile(path: string, now: () => number): Promise<Uint8Array> {
  const file = await readDataFile(path, maxIdentityBytes)
  const { value, bytes } = file
  if (Object.hasOwn(value, 'status') && typeof value.status !== 'string')
    throw file.refuse(['status'], 'status is not text', 'approved is what check_approved accepts.')
  for (const name of dates) if (Object.hasOwn(value, name)) checkDate(file, name)
  if (Object.hasOwn(value, 'birthdate') && Date.parse(String(value.birthdate)) > now())
    throw file.refuse(['birthdate'], 'birthdate is in the future', 'Correct it.')
  const code = value.address_country_code
  if (code !== undefined && !(typeof code === 'string' && /^[A-Za-z]{2}$/.test(code)))
    throw file.refuse(
      ['address_country_code'],
      'address_country_code is not a country code',
      'Use the two letters of ISO 3166-1, such as DE.',
    )
  return bytes
}

function checkDate(file: DataFile, name: string): void {
  const date = file.value[name]
  const isDate = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) && date >= '0001'
  // Date takes 30 February as 2 March.
  const time = isDate ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (isDate && !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)) return
  throw file.refuse(
    [name],
    `${name} is not a date`,
    'Use a date that exists, as YYYY-MM-DD: 1990-02-28.',
  )
}
