import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take many seconds, of few lines. Where durations of an earlier run are not known, as on a
 * fresh clone, Vitest starts large files first: one of these would run alone at the end.
 */
const longAndSmall = new RegExp(
  `/(${[
    'action/(action|packed)',
    'cli/(authorCommands|authorFlows|dev/dev|interruptedStart|main|oracle/oracle|runAround|start|startVariants)',
    'cli/policy/(equalOutput|import/importPolicy|initPolicy|test/testPolicy)',
    'client/stack',
    'hostile/(dripping-server|endless-loop)',
    'independentGateway',
    'isolation',
    'local/processes',
    'mutants/campaign',
    'nullTargets',
    'rego/differential',
    'sameRun',
    'scaleOut/(databaseOutage|scaleOut)',
    'sharedStack',
    'studio/studio.browser',
    'testing/readme',
    'testing/(stack/startStack|vitest/workers)',
  ].join('|')})\\.test\\.ts$`,
)

/** Starts with the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.config.isolate ? 0 : longAndSmall.test(moduleId) ? 1 : 2
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
