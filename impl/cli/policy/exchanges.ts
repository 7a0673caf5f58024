import { hkdfSync, randomBytes } from 'node:crypto'
import { counted } from 'polgate-lib/text/counted.ts'
import type { HostFetch } from 'polgate-service/oracles/hostFetch.ts'
import type { OracleLimits } from 'polgate-service/oracles/limits.ts'
import type { Recording } from 'polgate-service/oracles/recording/exchange.ts'
import { createRecorder, type Recorder } from 'polgate-service/oracles/recording/recorder.ts'
import { RecordingError } from 'polgate-service/oracles/recording/recordingError.ts'
import {
  readRecording,
  refuseOverwrite,
  writeRecording,
} from 'polgate-service/oracles/recording/recordingFile.ts'
import {
  perOracle,
  type SecretsByOracle,
  withoutSecrets,
  withSecrets,
} from 'polgate-service/oracles/recording/redactRecording.ts'
import { createReplayer, type Replayer } from 'polgate-service/oracles/recording/replayer.ts'
import type { HttpOptions } from './httpOptions.ts'

/** HTTP exchanges of the oracles: live, recorded or replayed. */
export type Exchanges = {
  /** Unix milliseconds. Fixed for the whole simulation when recording, and the recorded time in a replay. */
  readonly now: () => number
  /** True when recording or replaying: the oracles' clock is fixed. */
  readonly recordedTime: boolean
  /** Random bytes for an oracle; the same in a replay as in the recording. */
  readonly random: (oracle: string | undefined) => (length: number) => Uint8Array
  /** @param overHttp creates the real fetch; not called in a replay */
  fetchFor(oracle: string | undefined, limits: OracleLimits, overHttp: () => HostFetch): HostFetch
  /** Aborts the simulation when a request was not recorded; the reason names the request. */
  readonly unknown: AbortSignal
  /** Redacts known secrets. */
  clean(oracle: string | undefined, text: string): string
  /**
   * Writes the recording, or reports unused exchanges of a replay.
   *
   * @throws RecordingError if the recording cannot be written, or for unused exchanges with `strict`
   */
  finish(note: (text: string) => void): Promise<void>
}

export type ExchangesOptions = Pick<
  HttpOptions,
  'record' | 'replay' | 'force' | 'strict' | 'redactHeader'
> & { readonly secrets: SecretsByOracle; readonly clock: () => number }

/** @throws RecordingError if the recording cannot be read, or the file to write exists */
export async function openExchanges(options: ExchangesOptions): Promise<Exchanges> {
  const { record, replay, force = false, strict = false, secrets } = options
  if (record !== undefined) await refuseOverwrite(record, force)
  const recorded = replay === undefined ? undefined : await readRecording(replay)
  const placeholders = perOracle(secrets)
  const clean = (oracle: string | undefined, text: string) => {
    try {
      return placeholders(oracle).hide(text)
    } catch {
      return '(withheld: contains a secret)'
    }
  }
  const unknown = new AbortController()
  const replayer =
    recorded === undefined || replay === undefined
      ? undefined
      : createReplayer({
          recording: withSecrets(recorded, secrets),
          name: replay,
          clean,
          onUnknown: (error) => unknown.abort(error),
        })
  const recorders: Recorder[] = []
  const moment = recorded?.now ?? options.clock()
  const recordedTime = record !== undefined || replay !== undefined
  const seed = recorded?.seed ?? randomBytes(32).toString('hex')

  return {
    now: () => (recordedTime ? moment : options.clock()),
    recordedTime,
    random: (oracle) => (length) =>
      new Uint8Array(hkdfSync('sha256', Buffer.from(seed, 'hex'), '', oracle ?? '', length)),
    fetchFor(oracle, limits, overHttp) {
      if (replayer !== undefined) return replayer.fetchFor(oracle, limits)
      if (record === undefined) return overHttp()
      const recorder = createRecorder(oracle)
      recorders.push(recorder)
      return recorder.through(overHttp(), limits)
    },
    unknown: unknown.signal,
    clean,
    async finish(note) {
      if (replayer !== undefined) return tellLeft(replayer, { strict, clean, note })
      if (record === undefined) return
      const recording: Recording = {
        now: moment,
        seed,
        redactedHeaders: options.redactHeader.map((name) => name.toLowerCase()).sort(),
        // Sorted by oracle, so that the file does not depend on timing.
        exchanges: recorders.flatMap((each) => each.exchanges()).sort(byOracle),
      }
      await writeRecording(record, withoutSecrets(recording, secrets), { force })
      note(`${counted(recording.exchanges.length, 'exchange')} recorded in ${record}`)
    },
  }
}

const byOracle = (a: { oracle?: string | undefined }, b: { oracle?: string | undefined }) =>
  (a.oracle ?? '') < (b.oracle ?? '') ? -1 : (a.oracle ?? '') > (b.oracle ?? '') ? 1 : 0

function tellLeft(
  replayer: Replayer,
  options: {
    readonly strict: boolean
    readonly clean: Exchanges['clean']
    readonly note: (text: string) => void
  },
): void {
  const left = replayer.left()
  if (left.length === 0) return
  const shown = left.slice(0, 5).map(({ oracle, request }) => {
    const { method, url } = request
    return `  ${oracle === undefined ? '' : `${oracle}: `}${method} ${options.clean(oracle, url)}`
  })
  const more = left.length > shown.length ? [`  and ${left.length - shown.length} more`] : []
  const were = left.length === 1 ? 'was' : 'were'
  const count = counted(left.length, 'recorded exchange')
  const text = [`${count} ${were} not used:`, ...shown, ...more].join('\n')
  if (options.strict) {
    throw new RecordingError(text, 'Record again with --record FILE --force, or omit --strict.')
  }
  options.note(text)
}
