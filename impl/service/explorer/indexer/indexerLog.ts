/** What can be told of the indexer to whoever runs the service; never the address of a node. */
export type IndexerLog = {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}
