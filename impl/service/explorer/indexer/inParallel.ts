/** Runs `work` for every item with bounded concurrency; results are in the order of the items. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = new Array(items.length)
  const rest = items.entries()
  let failed = false
  const worker = async () => {
    for (const [at, item] of rest) {
      if (failed) return
      try {
        answers[at] = await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  return answers
}
