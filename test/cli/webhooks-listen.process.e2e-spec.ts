import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { expectRefusal, runCli, startCli, type RunningCli } from './run-cli.js';

const SECRET = 'correct horse battery staple';
const EVENT = '{"id":"evt_1","type":"document.created","data":{"title":"ü"}}';

let running: RunningCli[] = [];
afterEach(async () => {
  for (const cli of running) if (cli.child.exitCode === null) await cli.end('SIGKILL');
  running = [];
});

/** Starts the command on a free port and returns its address. */
async function listen(...args: string[]): Promise<{ cli: RunningCli; origin: string }> {
  const cli = startCli({}, 'webhooks', 'listen', '--port', '0', ...args);
  running.push(cli);
  const opening = await cli.line('stderr');
  expect(opening).toMatch(
    /Listening at http:\/\/127\.0\.0\.1:\d+ on every path.*Press Ctrl-C to stop\./,
  );
  return { cli, origin: /http:\/\/[\d.:]+/.exec(opening)?.[0] ?? '' };
}

/** Signs by hand, as Standard Webhooks specifies. */
function signed(secret: string, body: string, id = 'evt_1'): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${digest}`,
  };
}

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const response = await request(url, { method: 'POST', body, headers });
  await response.body.dump();
  return response.statusCode;
}

const shown = async (cli: RunningCli) =>
  JSON.parse(await cli.line('stdout')) as Record<string, unknown>;

describe('webhooks listen', () => {
  it('webhooks listen responds with 200 and shows each delivery with its valid signature', async () => {
    const { cli, origin } = await listen('--secret', SECRET);
    expect(await post(`${origin}/hooks?a=1`, EVENT, signed(SECRET, EVENT))).toBe(200);
    expect(await cli.line('stdout')).toMatch(
      /^\d{4}-\S+Z {2}POST \/hooks\?a=1 {2}document\.created {2}evt_1$/,
    );
    expect(await cli.line('stdout')).toBe('  signature is valid; responded with 200');
    expect([await cli.line('stdout'), await cli.line('stdout')]).toEqual(['{', '  "id": "evt_1",']);
  });

  it('webhooks listen prints a line of JSON per delivery for scripts, and marks repeats', async () => {
    const { cli, origin } = await listen('--secret', SECRET, '--json');
    for (const time of [1, 2]) {
      await post(origin, EVENT, signed(SECRET, EVENT));
      expect(await shown(cli)).toEqual({
        receivedAt: expect.any(String) as string,
        path: 'POST /',
        id: 'evt_1',
        type: 'document.created',
        time,
        signature: 'holds',
        status: 200,
        body: EVENT,
      });
    }
  });

  it('webhooks listen says why a signature is invalid', async () => {
    const { cli, origin } = await listen('--secret', SECRET, '--json');
    await post(origin, EVENT, signed('another secret', EVENT));
    await post(origin, `${EVENT} `, signed(SECRET, EVENT));
    await post(origin, EVENT);
    await post(origin, EVENT, { ...signed(SECRET, EVENT), 'webhook-timestamp': '1614265330' });
    const problems = [await shown(cli), await shown(cli), await shown(cli), await shown(cli)];
    for (const { signature } of problems) expect(signature).toBe('does not hold');
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/no signature matches this body and secret/),
      expect.stringMatching(/no signature matches this body and secret/),
      expect.stringMatching(/is missing/),
      expect.stringMatching(/it was signed \d+ seconds ago/),
    ]);
  });

  it('webhooks listen accepts several secrets, and says that it verifies nothing without any', async () => {
    const both = await listen('--secret', 'new secret', '--secret', SECRET, '--json');
    await post(both.origin, EVENT, signed(SECRET, EVENT));
    expect(await shown(both.cli)).toMatchObject({ signature: 'holds' });
    const none = await listen('--json');
    await post(none.origin, EVENT, signed(SECRET, EVENT));
    expect(await shown(none.cli)).toMatchObject({ signature: 'not checked' });
  });

  it('webhooks listen responds with the given status, to try out retries', async () => {
    const { cli, origin } = await listen('--status', '503', '--json');
    expect(await post(origin, EVENT)).toBe(503);
    expect(await shown(cli)).toMatchObject({ status: 503 });
  });

  it('webhooks listen shows requests that are not events, and lets nothing in them control the terminal', async () => {
    const { cli, origin } = await listen();
    expect(await post(origin, 'not JSON \u001b[2J\u202e\u0007')).toBe(200);
    expect(await cli.line('stdout')).toMatch(/no event {2}no webhook-id$/);
    expect(await cli.line('stdout')).toBe('  signature not verified; responded with 200');
    expect(await cli.line('stdout')).toBe('not JSON \\u{1b}[2J\\u{202e}\\u{7}');
    expect(await post(origin, 'x'.repeat(17 * 1024 ** 2)).catch(() => 413)).toBe(413);
    expect(await post(origin, EVENT)).toBe(200);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('webhooks listen exits with 0 on %s', async (signal) => {
    const { cli, origin } = await listen('--json');
    await post(origin, EVENT);
    expect(await cli.end(signal)).toBe(0);
  });

  it('webhooks listen exits silently when nobody reads its output any more', async () => {
    const { cli, origin } = await listen();
    cli.child.stdout?.destroy();
    const exited = once(cli.child, 'exit');
    // A pipe notices by the second write.
    for (const event of ['{}', EVENT]) await post(origin, event).catch(() => undefined);
    await exited;
    expect(cli.child.exitCode).toBe(0);
    await expect(cli.line('stderr')).rejects.toThrow('The command has ended.');
  });

  it('webhooks listen reports a port in use and invalid options in one sentence', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const listenAt = (...args: string[]) => runCli({}, 'webhooks', 'listen', ...args);
    expectRefusal(
      await listenAt('--port', String(port)),
      /^Port \d+ is in use by another program\. Stop it, or choose another port with --port\.$/m,
    );
    server.close();
    expectRefusal(await listenAt('--port', '70000'), /a port from 0 to 65535/);
    expectRefusal(await listenAt('--status', '100'), /a status from 200 to 599/);
    expectRefusal(await listenAt('--secret', ''), /Enter the secret of the webhook/);
    expectRefusal(await listenAt('--secret', 'whsec_cut'), /must be padded base64/);
    expectRefusal(await listenAt('--host', '192.0.2.1'), /has no address 192\.0\.2\.1/);
    expectRefusal(await listenAt('--sekret', 'x'), /unknown option '--sekret'/);
  });
});
