import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

const quotedLines = 20

/** Finds the description of a stack in what its container prints. */
export function describedIn(): {
  readonly read: (stream: Readable) => void
  readonly description: Promise<StackDescription>
  /** The last lines, for an error. */
  readonly printed: () => string
} {
  const lines: string[] = []
  let found: (description: StackDescription) => void = () => {}
  const description = new Promise<StackDescription>((resolve) => {
    found = resolve
  })
  return {
    description,
    printed: () => (lines.length === 0 ? '' : `\n${lines.join('\n')}\n`),
    read: (stream) => {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line.slice(0, 500))
        if (lines.length > quotedLines) lines.shift()
        // The engine may put bytes of its own in front of a line.
        const at = line.indexOf('{"version":1,')
        if (at >= 0) found(JSON.parse(line.slice(at)) as StackDescription)
      })
    },
  }
}
