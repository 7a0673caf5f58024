/** `512 B`, `1.5 MB`: decimal units. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let at = 0
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at += 1
  }
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`
}
