/**
 * `svc ... | head` closes our output early: that ends the command, it is no error. Once in a process:
 * the listener stays, because a write may fail after the command has ended.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}
