import { target } from '../../data/target.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Empty, Notice } from '../../ui/Notice.tsx'
import { type Tab, Tabs } from '../../ui/Tabs.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { AccountsTab } from './AccountsTab.tsx'
import { BlockDetail } from './BlockDetail.tsx'
import { BlocksTab } from './BlocksTab.tsx'
import './chain.css'
import { EventsTab } from './EventsTab.tsx'
import { GasTab } from './GasTab.tsx'
import { TimeTab } from './TimeTab.tsx'
import { TransactionDetail } from './TransactionDetail.tsx'

const wholeNumber = /^\d{1,12}$/
const hash = /^0x[0-9a-fA-F]{64}$/

/** The chain of the target: blocks, events, accounts, gas, and on a local stack its time. */
export const ChainView = ({ route }: ViewProps) => (
  <>
    <h1>Chain</h1>
    {target().has.chain ? (
      <NodeView route={route} />
    ) : (
      <Empty>The target names no node: add chain.rpcUrl to its file.</Empty>
    )}
  </>
)

function NodeView({ route }: ViewProps) {
  const [place = 'blocks', which = ''] = route.rest
  const canChange = target().has.control
  const from = route.query.get('from') ?? ''
  const newest = wholeNumber.test(from) ? Number(from) : undefined
  const tabs: Tab[] = [
    {
      id: 'blocks',
      title: 'Blocks',
      content: () => {
        if (place === 'block' && wholeNumber.test(which))
          return <BlockDetail number={Number(which)} />
        if (place === 'tx' && hash.test(which)) return <TransactionDetail hash={which} />
        return <BlocksTab newest={newest} />
      },
    },
    { id: 'events', title: 'Events', content: () => <EventsTab /> },
    {
      id: 'accounts',
      title: 'Accounts',
      content: () => <AccountsTab canChange={canChange} />,
    },
    {
      id: 'time',
      title: 'Time',
      content: () =>
        canChange ? (
          <TimeTab />
        ) : (
          <Notice>
            Blocks are mined and time is moved only on a local stack: this gateway’s chain is not
            Studio’s.
          </Notice>
        ),
    },
    { id: 'gas', title: 'Gas', content: () => <GasTab /> },
  ]
  return (
    <Tabs
      label="Chain"
      tabs={tabs}
      selected={place === 'block' || place === 'tx' ? 'blocks' : place}
      onSelect={(id) => navigate(hashOf('chain', [id]))}
    />
  )
}
