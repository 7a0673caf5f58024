import { render } from 'preact'
import { loadTarget } from './data/target.ts'
import { Shell } from './shell/Shell.tsx'
import { ErrorNotice } from './ui/Notice.tsx'

const root = document.getElementById('app')!

loadTarget().then(
  () => render(<Shell />, root),
  (error: Error) =>
    render(
      <main>
        <h1>Studio</h1>
        <ErrorNotice error={error} />
      </main>,
      root,
    ),
)
