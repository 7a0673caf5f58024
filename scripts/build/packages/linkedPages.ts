import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Files of a package's folder that its README links to, and those that these link to: they are shipped,
 * since a relative link leads nowhere without them.
 *
 * @param folder of the package, with `README.md`
 * @throws Error for a link to a file that does not exist, or outside the folder
 */
export function linkedPages(folder: string): string[] {
  const found = new Set(['README.md'])
  for (const page of found) {
    if (!page.endsWith('.md')) continue
    for (const link of relativeLinks(readFileSync(join(folder, page), 'utf8'))) {
      const path = posix.normalize(posix.join(posix.dirname(page), link))
      if (path.startsWith('../'))
        throw new Error(`${join(folder, page)} links to ${link}, which is not in the package`)
      if (!existsSync(join(folder, path)))
        throw new Error(`${join(folder, page)} links to ${link}, which does not exist`)
      found.add(path)
    }
  }
  found.delete('README.md')
  return [...found].sort()
}

/** Targets of links without a scheme, without their fragment. */
const relativeLinks = (page: string): string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(
    ([, link = '']) => {
      const path = link.replace(/#.*$/, '')
      return path === '' || /^[a-z][a-z0-9+.-]*:/i.test(path) ? [] : [path]
    },
  )
