import { readFile } from 'node:fs/promises'

const contracts = new URL('../../../chain/contracts/', import.meta.url)
const guidePage = new URL('GUIDE.md', contracts)

/** For tests: the security review for authors of contracts. */
export const securityPage = new URL('SECURITY.md', contracts)

/** For tests: the blocks of a page for authors of contracts in a language; by default of the guide. */
export async function guideBlocks(language: string, page = guidePage): Promise<readonly string[]> {
  const text = await readFile(page, 'utf8')
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...text.matchAll(block)].map(([, content = '']) => content)
}
