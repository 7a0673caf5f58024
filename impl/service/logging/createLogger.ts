import { type DestinationStream, type Logger, pino } from 'pino'
import { boundedText, boundedValue } from './boundedValue.ts'

export type CreateLoggerOptions = {
  readonly level: string
  /** Default: the standard error stream. */
  readonly destination?: DestinationStream
  /** Members of every line, such as the ids of the active trace. */
  readonly fields?: () => object
}

/** Maximum length of a line, characters. */
export const maxLine = 64 * 1024

/**
 * The logger of a process. Every logged value is truncated to a few kilobytes: errors may contain
 * data of any size from contracts, nodes and callers.
 */
export function createLogger({
  level,
  destination = pino.destination(2),
  fields,
}: CreateLoggerOptions): Logger {
  return pino(
    {
      level,
      ...(fields && { mixin: fields }),
      // Errors have been converted to plain objects before.
      serializers: { err: (value) => value },
      hooks: {
        logMethod(args, method) {
          method.apply(this, boundedArguments(args) as unknown as Parameters<typeof method>)
        },
      },
    },
    { write: (line) => destination.write(boundedLine(line)) },
  )
}

/** Logs an error alone like the library does, with its message as the text. */
function boundedArguments(args: readonly unknown[]): unknown[] {
  const [first, ...rest] = args
  if (!(first instanceof Error)) return args.map(bounded)
  const { message } = boundedValue(first) as { readonly message: string }
  return [{ err: boundedValue(first) }, ...(rest.length > 0 ? rest.map(bounded) : [message])]
}

const bounded = (value: unknown): unknown =>
  typeof value === 'string' ? boundedText(value) : boundedValue(value)

/**
 * For values that are not arguments, such as bindings of child loggers: the line stays valid JSON.
 */
function boundedLine(line: string): string {
  if (line.length <= maxLine) return line
  const cut = `${JSON.stringify(boundedValue(JSON.parse(line)))}\n`
  if (cut.length <= maxLine) return cut
  const head = /^\{"level":(\d+),"time":(\d+)/.exec(line)
  const msg = `a line of ${line.length} characters was dropped`
  const known = head === null ? {} : { level: Number(head[1]), time: Number(head[2]) }
  return `${JSON.stringify({ ...known, msg })}\n`
}
