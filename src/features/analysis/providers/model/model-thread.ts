import { threadTask } from '../../../../platform/threads/thread-task.js';
import type { TextFormat } from '@document-service/text-analysis/analysis-request';
import { mergeAnalysis, type ModelFindings } from './merge-analysis.js';
import { shownOf } from './shown-paragraphs.js';

/** What takes a while with a long text, beside the calls. */
export type ModelTask =
  | { kind: 'show'; text: string; format: TextFormat; key: string; kept: string | null }
  | { kind: 'merge'; made: ModelFindings };

export default threadTask((task: ModelTask) =>
  task.kind === 'show'
    ? shownOf(task.text, task.format, task.key, task.kept)
    : mergeAnalysis(task.made),
);
