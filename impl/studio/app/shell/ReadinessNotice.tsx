import { fetchApi } from '../data/api.ts'
import { unmetNeeds } from '../data/unmetNeeds.ts'
import { usePolled } from '../data/usePolled.ts'
import { Notice } from '../ui/Notice.tsx'

const everyMs = 2_000

async function readUnmetNeeds(signal: AbortSignal): Promise<readonly string[]> {
  const response = await fetchApi('/ready', { signal })
  return unmetNeeds(response.status, await response.text())
}

/** Why calls fail at the moment; nothing while the service is ready. */
export function ReadinessNotice() {
  const { value: unmet = [] } = usePolled(readUnmetNeeds, everyMs)
  if (unmet.length === 0) return null
  return (
    <Notice tone="warn">
      Not ready:
      {unmet.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Notice>
  )
}
