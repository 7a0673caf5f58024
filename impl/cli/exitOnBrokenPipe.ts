/**
 * Exits without an error when stdout is closed early, as by `polgate ... | head`. Call it once per
 * process: the listener stays, because a write may fail after the command has ended.
 */
export function exitOnBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}
