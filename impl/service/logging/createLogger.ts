import { type DestinationStream, type Logger, pino } from 'pino'
import { boundedText, boundedValue } from './boundedValue.ts'

export type CreateLoggerOptions = {
  readonly level: string
  /** Default: the standard error stream. */
  readonly destination?: DestinationStream
}

/** Characters of a line; none is longer. */
export const maxLine = 64 * 1024

/**
 * The logger of a process. Whatever is logged is cut to a few kilobytes: errors carry what contracts,
 * nodes and callers sent, of any size.
 */
export function createLogger({
  level,
  destination = pino.destination(2),
}: CreateLoggerOptions): Logger {
  return pino(
    {
      level,
      // Errors are plain objects by then.
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

/** An error alone is given the form that the library would give it, with its message as the text. */
function boundedArguments(args: readonly unknown[]): unknown[] {
  const [first, ...rest] = args
  if (!(first instanceof Error)) return args.map(bounded)
  const { message } = boundedValue(first) as { readonly message: string }
  return [{ err: boundedValue(first) }, ...(rest.length > 0 ? rest.map(bounded) : [message])]
}

const bounded = (value: unknown): unknown =>
  typeof value === 'string' ? boundedText(value) : boundedValue(value)

/** For what does not come as an argument, such as bindings of children: it is still a line of JSON. */
function boundedLine(line: string): string {
  if (line.length <= maxLine) return line
  const cut = `${JSON.stringify(boundedValue(JSON.parse(line)))}\n`
  if (cut.length <= maxLine) return cut
  const head = /^\{"level":(\d+),"time":(\d+)/.exec(line)
  const msg = `a line of ${line.length} characters was dropped`
  const known = head === null ? {} : { level: Number(head[1]), time: Number(head[2]) }
  return `${JSON.stringify({ ...known, msg })}\n`
}
