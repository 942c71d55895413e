import { threadTask } from '../../../platform/threads/thread-task.js';
import { STEPS, type CheckerTask } from './check-steps.js';

export default threadTask<CheckerTask>(({ step, args }) => {
  const work: (...given: never[]) => unknown = STEPS[step];
  return work(...(args as never[]));
});
