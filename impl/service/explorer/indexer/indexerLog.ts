/** Log of the indexer; never contains the address of a node. */
export type IndexerLog = {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}
