/**
 * Loaded into the service with `--import`. Measures how long the event loop is blocked, without a route in the product.
 * `GET /` on LOOP_HOLDS_PORT returns the longest block since the last call, in ms. A block is the main thread's processor
 * time between two runs of a timer, so a busy machine does not lengthen it.
 */
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 2;

/** Returns the main thread's processor time so far, in ms. */
function processorMs() {
  return (
    Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  );
}

if (isMainThread && process.env.LOOP_HOLDS_PORT) {
  let [longest, before] = [0, processorMs()];
  const look = () => {
    const now = processorMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  setInterval(look, EVERY_MS).unref();
  createServer((_, response) => {
    look();
    response.end(JSON.stringify({ longest }));
    longest = 0;
  })
    .listen(Number(process.env.LOOP_HOLDS_PORT), '127.0.0.1')
    .unref();
}
