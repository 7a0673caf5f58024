import { AppError } from './appError.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is exceeded',
  EEXIST: 'it exists already',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space, or use another disk.',
  EDQUOT: 'Free some space, or use another disk.',
  ENOENT: 'Check the path.',
  EISDIR: 'Name a file.',
  ENAMETOOLONG: 'Use a shorter name.',
  EMFILE: 'Raise the limit: ulimit -n 4096.',
}

const verbs: Readonly<Record<string, string>> = {
  mkdir: 'create the folder',
  mkdtemp: 'create a temporary folder',
  copyfile: 'copy',
  rename: 'rename',
  unlink: 'remove',
  rm: 'remove',
  rmdir: 'remove',
  scandir: 'list',
  write: 'write',
  uv_os_homedir: 'find the home directory',
}

/** Why a system call failed, in a few words; the message of any other error. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return (code && reasons[code]) ?? message ?? String(error)
}

/**
 * A failed call of the file system as an error for a person: what could not be done, to which path and
 * why. Undefined for any other error.
 */
export function asAppError(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || error instanceof AppError) return undefined
  const { code = '', syscall = '', path } = error as NodeJS.ErrnoException
  const { info } = error as { info?: { code?: string; syscall?: string } }
  const call = info?.syscall ?? syscall
  const why = reasons[info?.code ?? code]
  if (why === undefined || (path === undefined && verbs[call] === undefined)) return undefined
  if (call === 'uv_os_homedir')
    return new AppError('cannot find the home directory: this user has none', {
      hint: 'Set HOME to a folder that you can write to.',
      cause: error,
    })
  const what = [`cannot ${verbs[call] ?? 'open'}`, path].filter(Boolean).join(' ')
  return new AppError(`${what}: ${why}`, {
    hint: hints[code] ?? 'Check its permissions, or use a folder that you can write to.',
    cause: error,
  })
}
