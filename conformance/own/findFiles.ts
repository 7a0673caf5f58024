import { statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { globSync, isDynamicPattern } from 'tinyglobby'
import { CannotRun } from '../core/conformanceError.ts'

const endings = ['.ts', '.mts', '.js', '.mjs', '.cjs']
const mostFiles = 500

/** As reports and errors show it: relative to the working directory, with forward slashes. */
export function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path)
  return (way.startsWith('..') || isAbsolute(way) ? path : way).replaceAll(sep, '/')
}

function filesOf(pattern: string, cwd: string): readonly string[] {
  if (isDynamicPattern(pattern))
    return globSync(pattern, {
      cwd,
      absolute: true,
      onlyFiles: true,
      ignore: ['**/node_modules/**'],
    })
      .filter((path) => !path.endsWith('.d.ts') && endings.some((ending) => path.endsWith(ending)))
      .map((path) => resolve(path))
  const path = resolve(cwd, pattern)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return filesOf(`${pattern.replace(/[\\/]+$/, '')}/**/*`, cwd)
  if (!found?.isFile()) return []
  if (!endings.some((ending) => path.endsWith(ending)))
    throw new CannotRun(
      `${shownPath(path, cwd)} is not a module`,
      `Its name must end with one of ${endings.join(', ')}.`,
    )
  return [path]
}

/**
 * The modules that file names, folders and glob patterns stand for, in the order of their names.
 * @throws CannotRun where one stands for none, or all of them for more than 500
 */
export function findFiles(patterns: readonly string[], cwd: string): readonly string[] {
  const files = patterns.flatMap((pattern) => {
    const found = filesOf(pattern, cwd)
    if (found.length === 0)
      throw new CannotRun(
        `--checks '${pattern}' matches no file`,
        'Give a file, a folder, or a quoted pattern such as "./checks/*.ts", relative to this directory.',
      )
    return found
  })
  const distinct = [...new Set(files)].sort()
  if (distinct.length > mostFiles)
    throw new CannotRun(
      `--checks matches ${distinct.length} files, more than ${mostFiles}`,
      'Give a narrower pattern.',
    )
  return distinct
}
