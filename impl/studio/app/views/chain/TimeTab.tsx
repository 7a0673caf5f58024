import type { ChainSnapshot } from 'polgate-protocol/control/chain.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { AttestationsPanel } from './AttestationsPanel.tsx'
import { durationSeconds } from './durationSeconds.ts'
import { blockNumber } from './reads.ts'
import { SnapshotsPanel } from './SnapshotsPanel.tsx'

/** Blocks that the control API mines at once. */
const maxBlocks = 100_000

/** The time of the stack: mining, moving ahead, snapshots. */
export function TimeTab() {
  const { value, error, refresh } = usePolled(readTime, 2_000)
  const [failure, setFailure] = useState<Error>()
  const [blocks, setBlocks] = useState('1')
  const [duration, setDuration] = useState('1h')
  const [date, setDate] = useState('')
  const seconds = durationSeconds(duration)
  const count = Number(blocks)
  const isCount = Number.isInteger(count) && count >= 1 && count <= maxBlocks

  const change = async (path: string, body: object = {}) => {
    try {
      await control.post(path, body)
      setFailure(undefined)
    } catch (reason) {
      setFailure(reason as Error)
    }
    refresh()
  }
  return (
    <>
      <ErrorNotice error={failure ?? error} />
      {value === undefined ? null : (
        <dl class="chain-facts">
          <div>
            <dt>Latest block</dt>
            <dd>{value.latest}</dd>
          </div>
          <div>
            <dt>Time of the stack, and of the next block</dt>
            <dd>
              <Time at={value.now} />
            </dd>
          </div>
          <div>
            <dt>Ahead of this computer</dt>
            <dd>{aheadText(value.now - Date.now())}</dd>
          </div>
        </dl>
      )}
      <div class="columns">
        <section class="panel stack" aria-label="Mine">
          <TextField
            label="Blocks"
            type="number"
            value={blocks}
            error={isCount ? undefined : `from 1 to ${maxBlocks.toLocaleString()}`}
            onChange={setBlocks}
          />
          <Button disabled={!isCount} onPress={() => change('/chain/mine', { blocks: count })}>
            Mine
          </Button>
        </section>
        <section class="panel stack" aria-label="Move ahead">
          <TextField
            label="Duration"
            value={duration}
            error={seconds === undefined ? 'such as 90, 45s, 1h 30m or 2d' : undefined}
            onChange={setDuration}
          />
          <Button
            disabled={seconds === undefined}
            onPress={() => change('/chain/warp', { seconds })}
          >
            Move ahead by it
          </Button>
        </section>
        <section class="panel stack" aria-label="Move to a date">
          <TextField
            label="Date and time"
            type="datetime-local"
            value={date}
            help="In the time zone of this browser."
            onChange={setDate}
          />
          <Button
            disabled={date === ''}
            onPress={() => change('/chain/warp', { time: new Date(date).getTime() })}
          >
            Move to it
          </Button>
        </section>
      </div>
      <AttestationsPanel
        latest={value?.latest}
        onMine={(needed) => change('/chain/mine', { blocks: needed })}
      />
      <SnapshotsPanel
        snapshots={value?.snapshots ?? []}
        onTake={() => change('/chain/snapshot')}
        onRevert={(id) => change('/chain/revert', { id })}
      />
    </>
  )
}

async function readTime(signal: AbortSignal) {
  const [{ now }, snapshots, latest] = await Promise.all([
    control.get<{ now: number }>('/chain/time', signal),
    control.get<ChainSnapshot[]>('/chain/snapshots', signal),
    blockNumber(),
  ])
  return { now, snapshots, latest }
}

function aheadText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  if (seconds < 5) return 'no'
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60]
  return [
    [days, 'd'],
    [hours, 'h'],
    [minutes, 'min'],
    [seconds % 60, 's'],
  ]
    .map(([count, unit]) => [Math.floor(Number(count)), unit] as const)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
