let on = false

/** Whether `detail` prints; set when the options are known. */
export function setVerbose(verbose: boolean): void {
  on = verbose
}

/** With --verbose, says on stderr what a command does. Pass no secret: URLs and paths are shown. */
export function detail(text: string): void {
  if (on) process.stderr.write(`polgate: ${text}\n`)
}
