import { target } from '../../data/target.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { CheckDetail } from './CheckDetail.tsx'
import { ChooseChecks } from './ChooseChecks.tsx'
import { CompareView } from './CompareView.tsx'
import { RunList } from './RunList.tsx'
import { RunView } from './RunView.tsx'
import './conformance.css'

/** The conformance suite: choose checks, follow a run, read its results, compare and replay. */
export function ConformanceView({ route }: ViewProps) {
  return (
    <>
      <h1>Conformance</h1>
      {target().has.control ? <Place route={route} /> : <InTerminal />}
    </>
  )
}

function Place({ route }: ViewProps) {
  const [kind, run, check] = route.rest
  const { query } = route
  if (kind === 'runs' && run !== undefined)
    return check === undefined ? <RunView id={run} /> : <CheckDetail run={run} check={check} />
  if (kind === 'compare')
    return <CompareView before={query.get('before') ?? ''} after={query.get('after') ?? ''} />
  return (
    <>
      <RunList />
      <ChooseChecks />
    </>
  )
}

/** Runs change a gateway, and need its keys: another one is tested on the command line. */
function InTerminal() {
  const { gatewayUrl } = target()
  const commands = [
    `npx polgate init ${gatewayUrl}`,
    'npx polgate doctor',
    'npx polgate certify --report-dir out',
  ]
  return (
    <div class="panel stack">
      <p>
        A run changes a gateway, so Studio starts none here. In a terminal these commands describe
        the gateway in a file, say what is missing in it, and run the checks:
      </p>
      <pre tabIndex={0}>{commands.join('\n')}</pre>
      <div class="row">
        <CopyButton label="Copy" text={() => commands.join('\n')} />
      </div>
      <Notice>
        With <code>--read-only</code> the suite writes nothing; checks that write are then
        untestable.
      </Notice>
    </div>
  )
}
