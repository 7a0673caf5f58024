let on = false

/** Makes `detail` print; called once, when the options are known. */
export function beVerbose(): void {
  on = true
}

/** With --verbose, says on stderr what a command does. Pass no secret: URLs and paths are shown. */
export function detail(text: string): void {
  if (on) process.stderr.write(`polgate: ${text}\n`)
}
