import { setFlagsFromString } from 'node:v8';
import { threadTask } from '../../../../platform/threads/thread-task.js';
import { Harper, type HarperWork } from '@document-service/text-analysis/english/harper';

export interface HarperTask {
  /** JSON text of a `HarperWork`. The result is the JSON text of `IndexedLints`. */
  english: string;
}

let harper: Promise<Harper> | undefined;

// Without these flags, V8 optimizes Harper's startup code in many threads and retains 100 MB of memory.
setFlagsFromString('--wasm-num-compilation-tasks=1');
setFlagsFromString('--wasm-tiering-budget=18000000');

/** Harper runs in a separate thread, because it takes as long as all other checks together. */
export default threadTask<HarperTask>(async ({ english }) => {
  harper ??= Harper.load();
  return JSON.stringify(await (await harper).lintsIn(JSON.parse(english) as HarperWork));
});
