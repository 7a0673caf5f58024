import { basename } from 'node:path'
import { CommandError } from '../commandDefinition.ts'
import { watchDirectories } from '../rego/watch.ts'

export type FolderWatch = {
  /** Watches these directories from now on. @throws CommandError where the system refuses */
  set(directories: ReadonlySet<string>): void
  close(): void
}

/** @param changed is called for events that may be a change of a file that counts */
export function createFolderWatch(changed: () => void): FolderWatch {
  const watched = new Map<string, { close(): void }>()

  function add(directory: string): void {
    try {
      const watcher = watchDirectories([directory], (path) => {
        // The state of publications, and what editors write beside a file.
        if (path === undefined || !basename(path).startsWith('.')) changed()
      })
      watched.set(directory, watcher)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // Removed meanwhile: the event of the directory above says so.
      if (code === 'ENOENT' || code === 'ENOTDIR') return
      throw new CommandError(`${directory} cannot be watched: ${code}`, {
        hint: 'The system limits how many files are watched: see fs.inotify.max_user_watches.',
        cause,
      })
    }
  }

  return {
    set(directories) {
      for (const [directory, watcher] of watched) {
        if (directories.has(directory)) continue
        watcher.close()
        watched.delete(directory)
      }
      for (const directory of directories) if (!watched.has(directory)) add(directory)
    },
    close() {
      for (const watcher of watched.values()) watcher.close()
      watched.clear()
    },
  }
}
