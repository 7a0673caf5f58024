import { useState } from 'preact/hooks'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { ExplorerConsole } from './ExplorerConsole.tsx'
import { HistoryList } from './HistoryList.tsx'
import type { HistoryEntry } from './history.ts'
import { RpcConsole } from './RpcConsole.tsx'
import { useHistory } from './useHistory.ts'
import './console.css'

/** The place of a request of the history: `getTask` of the gateway, `GET /v1/task` of the explorer. */
function restOf({ call }: HistoryEntry): readonly string[] {
  const [, path] = /^GET (.+)$/.exec(call) ?? []
  return path === undefined ? ['rpc', call] : ['explorer', path]
}

/** Calls of the gateway and of the explorer, from forms. */
export function ConsoleView({ route }: ViewProps) {
  const history = useHistory()
  const [draft, setDraft] = useState<HistoryEntry>()
  const [tab = 'rpc', chosen] = route.rest
  const isHere = draft !== undefined && restOf(draft).join() === [tab, chosen].join()
  const parts = { chosen, history, draft: isHere ? draft : undefined }
  const choose = (entry: HistoryEntry) => {
    setDraft({ ...entry })
    navigate(hashOf('console', restOf(entry)))
  }
  return (
    <>
      <h1>Console</h1>
      <Tabs
        label="What to call"
        selected={tab}
        onSelect={(id) => navigate(hashOf('console', [id]))}
        tabs={[
          { id: 'rpc', title: 'Gateway', content: () => <RpcConsole {...parts} /> },
          { id: 'explorer', title: 'Explorer', content: () => <ExplorerConsole {...parts} /> },
          {
            id: 'history',
            title: `History (${history.entries.length})`,
            content: () => (
              <HistoryList entries={history.entries} onChoose={choose} onClear={history.clear} />
            ),
          },
        ]}
      />
    </>
  )
}
