import { readFile } from 'node:fs/promises'

const guide = new URL('../../../chain/contracts/GUIDE.md', import.meta.url)

/** For tests: the blocks of the guide for authors of contracts in a language. */
export async function guideBlocks(language: string): Promise<readonly string[]> {
  const page = await readFile(guide, 'utf8')
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...page.matchAll(block)].map(([, text = '']) => text)
}
