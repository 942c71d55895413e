import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { pausedSince, runningTime, TimeLimit, within } from './time-limit.js';

/** Blocks this process, as SIGSTOP would: no timer fires and no socket is read. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Resolves when this process reads a byte that was sent just before it was blocked. */
async function byteBeforePause(milliseconds: number): Promise<string> {
  const server = createServer((socket) => {
    socket.end('x');
    pause(milliseconds);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'data');
  server.close();
  return 'read';
}

describe('A time limit', () => {
  it('ends work that takes longer', async () => {
    const began = performance.now();
    await expect(within(50, new Promise(() => undefined), () => new Error('late'))).rejects.toThrow(
      'late',
    );
    expect(performance.now() - began).toBeGreaterThanOrEqual(49);
  });

  it('does not end work after it was cleared', async () => {
    let ended = false;
    const limit = new TimeLimit(1, () => (ended = true));
    limit.clear();
    await within(20, new Promise(() => undefined), () => new Error()).catch(() => undefined);
    expect(ended).toBe(false);
  });

  it('reads data that has arrived before it expires', async () => {
    const limited = within(300, byteBeforePause(500), () => new Error('late'));
    await expect(limited).resolves.toBe('read');
  });

  it('does not count pauses of the process', async () => {
    const before = runningTime();
    const began = performance.now();
    const limited = within(500, new Promise(() => undefined), () => new Error('late'));
    pause(1_800);
    expect(pausedSince(began)).toBe(true);
    expect(runningTime() - before).toBeLessThan(500);
    await expect(limited).rejects.toThrow('late');
    expect(performance.now() - began).toBeGreaterThanOrEqual(2_200);
    expect(pausedSince(performance.now())).toBe(false);
  });
});
