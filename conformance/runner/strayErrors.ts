/** Collects unhandled rejections in this process, which may also run a local stack. */
export const strayErrors = (): {
  readonly errors: readonly string[]
  readonly release: () => void
} => {
  const errors: string[] = []
  const note = (error: unknown) => {
    errors.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  }
  process.on('unhandledRejection', note)
  return { errors, release: () => process.off('unhandledRejection', note) }
}
