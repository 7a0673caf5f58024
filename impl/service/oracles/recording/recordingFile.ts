import { readFile, stat } from 'node:fs/promises'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { Recording } from './exchange.ts'
import { RecordingError } from './recordingError.ts'
import { formatRecording, maxRecordingBytes, parseRecording } from './recordingFormat.ts'

/** @throws RecordingError when there is no file, or it is no recording */
export async function readRecording(path: string): Promise<Recording> {
  const { size } = await stat(path).catch((cause) => {
    throw new RecordingError(`${path} cannot be read`, 'Is the path right?', { cause })
  })
  if (size > maxRecordingBytes) {
    throw new RecordingError(
      `${path} is larger than ${maxRecordingBytes} bytes`,
      'No recording that was made here is; is the path right?',
    )
  }
  const bytes = await readFile(path).catch((cause) => {
    throw new RecordingError(`${path} cannot be read`, 'Is the path right?', { cause })
  })
  return parseRecording(bytes.toString('utf8'), path)
}

/** Says before a run what would be in the way of keeping it. @throws RecordingError */
export async function refuseOverwrite(path: string, force: boolean): Promise<void> {
  if (!force && (await exists(path))) throw alreadyThere(path)
}

/**
 * Puts a recording in place whole, or not at all.
 *
 * @param recording with placeholders in the place of secrets
 * @param force whether a file that is there is replaced
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
    // Whoever put one there meanwhile keeps it.
    await replaceFile(path, text, { exclusive: !force })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(path)
    throw new RecordingError(`${path} cannot be written`, 'Is its folder there, and yours?', {
      cause,
    })
  }
}

const alreadyThere = (path: string) =>
  new RecordingError(`${path} is there already`, 'Replace it with --force, or name another file.')

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
