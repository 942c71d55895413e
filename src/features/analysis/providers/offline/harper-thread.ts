import { setFlagsFromString } from 'node:v8';
import { threadTask } from '../../../../platform/threads/thread-task.js';
import { Harper } from '@document-service/text-analysis/english/harper';

/** What Harper is asked, as JSON text: texts, and what it says of each. */
export interface HarperTask {
  english: string;
}

let harper: Promise<Harper> | undefined;

// V8 would optimise what only Harper's start runs, in as many threads as there are, and keep 100 MB of what that takes.
setFlagsFromString('--wasm-num-compilation-tasks=1');
setFlagsFromString('--wasm-tiering-budget=18000000');

/** Harper has a thread of its own: it takes as long as everything else together, and its memory only once. */
export default threadTask<HarperTask>(async ({ english }) => {
  harper ??= Harper.load();
  return JSON.stringify(await (await harper).lintsOf(JSON.parse(english) as string[]));
});
