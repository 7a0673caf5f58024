import { readFile, stat } from 'node:fs/promises'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { Recording } from './exchange.ts'
import { RecordingError } from './recordingError.ts'
import { formatRecording, maxRecordingBytes, parseRecording } from './recordingFormat.ts'

/** @throws RecordingError when the file is missing or not a recording */
export async function readRecording(path: string): Promise<Recording> {
  const { size } = await stat(path).catch((cause) => {
    throw new RecordingError(`${path} cannot be read`, 'Check the path.', { cause })
  })
  if (size > maxRecordingBytes) {
    throw new RecordingError(
      `${path} is larger than ${maxRecordingBytes} bytes`,
      'Recordings are never that large; check the path.',
    )
  }
  const bytes = await readFile(path).catch((cause) => {
    throw new RecordingError(`${path} cannot be read`, 'Check the path.', { cause })
  })
  return parseRecording(bytes.toString('utf8'), path)
}

/** Checks before a run that the recording can be written. @throws RecordingError */
export async function refuseOverwrite(path: string, force: boolean): Promise<void> {
  if (!force && (await exists(path))) throw alreadyExists(path)
}

/**
 * Writes a recording atomically.
 *
 * @param recording with placeholders instead of secrets
 * @param force whether to replace an existing file
 * @throws RecordingError
 */
export async function writeRecording(
  path: string,
  recording: Recording,
  { force }: { force: boolean },
): Promise<void> {
  const text = formatRecording(recording)
  if (Buffer.byteLength(text) > maxRecordingBytes) {
    throw new RecordingError(
      `the recording would be larger than ${maxRecordingBytes} bytes`,
      'Record fewer oracles at once.',
    )
  }
  try {
    // Without --force, a file that another process created in the meantime is not replaced.
    await replaceFile(path, text, { exclusive: !force })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyExists(path)
    throw new RecordingError(
      `${path} cannot be written`,
      'Check that its directory exists and is writable.',
      {
        cause,
      },
    )
  }
}

const alreadyExists = (path: string) =>
  new RecordingError(`${path} already exists`, 'Replace it with --force, or choose another path.')

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
