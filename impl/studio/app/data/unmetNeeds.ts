/**
 * What the service lacks to serve calls, one line each, from an answer of `/readyz`; empty while it is ready.
 * Degraded parts are in the views.
 */
export function unmetNeeds(status: number, text: string): readonly string[] {
  if (status === 200) return []
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '')
  if (first !== 'not ready') return [`its admin listener does not answer (HTTP ${status})`]
  return lines.filter((line) => /^[a-z]+: /.test(line))
}
