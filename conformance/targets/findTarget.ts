import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { CannotRun } from '../core/conformanceError.ts'
import { nearest } from '../core/select.ts'

/** The default file name. */
export const usualFile = 'svc-target.yaml'
const namedFile = /^svc-target\.(.+)\.ya?ml$/

/** Possible meanings of `--target`. */
export type FoundTarget =
  | { readonly kind: 'local' }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string; readonly found: 'named' | 'discovered' }

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

/** The directory and its parents, up to the root of the repository. */
export function upward(cwd: string): readonly string[] {
  const directories: string[] = []
  for (let at = resolve(cwd); ; at = dirname(at)) {
    directories.push(at)
    if (existsSync(join(at, '.git')) || dirname(at) === at) return directories
  }
}

const namesIn = (directory: string): readonly string[] =>
  readdirSync(directory).flatMap((file) => namedFile.exec(file)?.[1] ?? [])

/** The first word is a surface: `webhook.retry.late`. */
const isCheckId = (text: string): boolean =>
  /^(rpc|rego|ws|webhook|explorer|chain|cross|chaos)\.[a-z]/i.test(text)

/** Not the same as absent: a variable that it was to come from is unset, and another gateway is not meant. */
export const emptyTarget = (variable?: string): CannotRun =>
  new CannotRun(
    `the target is empty${variable === undefined ? '' : ` (${variable})`}`,
    'A variable that it comes from may be unset. Use a URL such as https://gateway.example, local, or a file.',
  )

/**
 * Finds the target: the flag, else `SVC_TARGET`, else `svc-target.yaml` here or above, up to the
 * root of the repository, else the local stack. A name stands for `svc-target.NAME.yaml`.
 *
 * @throws CannotRun for an empty flag or an empty variable, which CI sets where a secret is missing; and for an unknown name or path, with the nearest name
 */
export function findTarget(
  flag: string | undefined,
  {
    cwd,
    env,
  }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): FoundTarget {
  if (flag === '') throw emptyTarget()
  if (flag === undefined && env.SVC_TARGET === '') throw emptyTarget('SVC_TARGET')
  const wanted = flag ?? env.SVC_TARGET
  const directories = upward(cwd)
  if (wanted === undefined) {
    const found = directories.map((each) => join(each, usualFile)).find(isFile)
    return found === undefined
      ? { kind: 'local' }
      : { kind: 'file', path: found, found: 'discovered' }
  }
  if (wanted === 'local') return { kind: 'local' }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(wanted)) return { kind: 'url', url: wanted }
  const path = isAbsolute(wanted) ? wanted : resolve(cwd, wanted)
  if (isFile(path)) return { kind: 'file', path, found: 'named' }
  const named = directories
    .flatMap((each) => ['yaml', 'yml'].map((end) => join(each, `svc-target.${wanted}.${end}`)))
    .find(isFile)
  if (named !== undefined) return { kind: 'file', path: named, found: 'named' }
  const names = ['local', ...directories.flatMap(namesIn)]
  throw new CannotRun(
    `'${wanted}' is not a URL or a target file, and there is no svc-target.${wanted}.yaml here or above`,
    isCheckId(wanted)
      ? `If it is a check, select it: --grep '${wanted}'. A target is a URL such as https://gateway.example, local, or a file.`
      : `Did you mean '${nearest(wanted, names)}'? Use a URL such as https://gateway.example, local, or a file; polgate init writes one.`,
  )
}
