import dns from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ReceiverClient } from '../../src/features/webhooks/delivery/send-delivery.js';
import type { ReceiverPolicy } from '../../src/features/webhooks/settings/receiver-url.js';
import { eventually } from '../support/eventually.js';
import { respondWith, hang, WebhookReceiver } from '../support/webhook-receiver.js';

const LIMIT_MS = 1_000;
const LOOPBACK: ReceiverPolicy = {
  webhookAllowedNetworks: ['127.0.0.0/8'],
  webhookAllowHttp: true,
};
/** A lease that outlives every test. */
const LEASED_UNTIL = performance.now() + 600_000;
const BODY = Buffer.from('{"id":"evt_1"}');

let client: ReceiverClient;
const servers: Server[] = [];
beforeEach(() => {
  client = new ReceiverClient(LOOPBACK, LIMIT_MS);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await client.close();
  for (const server of servers.splice(0)) server.close();
});

/** Starts a TCP server and returns its URL. Calls `talk` when a request starts to arrive. */
async function rawReceiver(talk: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => talk(socket));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

async function post(url: string, by = client) {
  const result = await by.post(url, { 'content-type': 'application/json' }, BODY, LEASED_UNTIL);
  if (!result) throw new Error('it was cut');
  return result;
}

/** Writes repeatedly until the other side has closed the connection. */
function keepWriting(socket: Socket, part: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(part), everyMs);
  socket.on('close', () => {
    clearInterval(timer);
  });
}

/** Writes as fast as the other side reads, until it has closed the connection. */
function flood(socket: Socket, block: string, onSent: (bytes: number) => void): void {
  const write = () => {
    while (!socket.destroyed && socket.write(block)) onSent(block.length);
  };
  socket.on('drain', write);
  write();
}

describe('a misbehaving receiver', () => {
  it.each<[string, (socket: Socket) => unknown, string]>([
    ['says nothing', () => undefined, 'answer_timeout'],
    [
      'drips its headers',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\nx: ');
        keepWriting(s, 'y', 20);
      },
      'answer_timeout',
    ],
    [
      'sends one early hint after the other',
      (s) => {
        keepWriting(s, 'HTTP/1.1 103 Early Hints\r\n\r\n', 20);
      },
      'bad_response',
    ],
    [
      'sends nothing after an early hint',
      (s) => s.write('HTTP/1.1 103 Early Hints\r\n\r\n'),
      'answer_timeout',
    ],
    [
      'sends an informational response of an unknown kind, then nothing',
      (s) => s.write('HTTP/1.1 199 Whatever\r\n\r\n'),
      'answer_timeout',
    ],
    [
      'drips its body a byte at a time',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        keepWriting(s, '1\r\nx\r\n', 20);
      },
      'answer_endless',
    ],
    [
      'promises more than it sends',
      (s) => s.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'),
      'answer_endless',
    ],
    [
      'breaks off in the middle of its response',
      (s) => s.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'),
      'answer_incomplete',
    ],
    ['hangs up without a word', (s) => s.end(), 'send_failed'],
    ['resets the connection', (s) => s.resetAndDestroy(), 'send_failed'],
    ['does not speak HTTP', (s) => s.write('220 smtp.example.com ESMTP\r\n'), 'answer_invalid'],
    [
      'sends a broken length',
      (s) => s.write('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n'),
      'answer_invalid',
    ],
    [
      'sends a broken chunk',
      (s) => s.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
      'answer_invalid',
    ],
    [
      'sends headers without end',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\n');
        keepWriting(s, `x: ${'y'.repeat(8_000)}\r\n`, 1);
      },
      'bad_response',
    ],
    [
      'continues what needs no continuation',
      (s) => s.write('HTTP/1.1 100 Continue\r\n\r\n'),
      'answer_invalid',
    ],
    [
      'wants to speak another protocol',
      (s) => s.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'answer_invalid',
    ],
    [
      'answers a status that is none',
      (s) => s.write('HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n'),
      'answer_invalid',
    ],
    [
      'sends two lengths',
      (s) => s.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'),
      'answer_invalid',
    ],
  ])('that %s fails the attempt within the time limit', async (_, talk, expected) => {
    const result = await post(await rawReceiver(talk));
    expect(result.failure?.class).toBe(expected);
    expect(result.failure?.message).toMatch(/^[A-Z].*\.$/);
    expect(result.failure?.message).not.toMatch(/expression|falsy/);
    expect(result.durationMs).toBeLessThan(LIMIT_MS + 5_000);
    expect(result.body.length).toBeLessThanOrEqual(17 * 1024);
  });

  it.each<[string, string, string, string]>([
    ['early hints', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', '8 informational responses'],
    ['102 Processing', '', 'HTTP/1.1 102 Processing\r\n\r\n', '8 informational responses'],
    ['199', '', 'HTTP/1.1 199 X\r\nlink: </a>\r\n\r\n', '8 informational responses'],
    ['large early hints', '', `HTTP/1.1 103 X\r\nlink: ${'x'.repeat(15_000)}\r\n\r\n`, '64 KiB of headers'],
    ['a reason phrase', 'HTTP/1.1 200 ', 'x'.repeat(1_000), 'in one response'],
    ['line breaks before the response', '', '\r\n'.repeat(500), 'in one response'],
    ['spaces before a value', 'HTTP/1.1 200 OK\r\nx:', ' '.repeat(1_000), 'in one response'],
    ['headers of one response', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n', 'too large headers'],
    ['empty headers', 'HTTP/1.1 200 OK\r\n', 'a:\r\n', 'too large headers'],
    ['trailers', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'a: b\r\n', 'too large headers'],
    ['a chunk extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'x'.repeat(1_000), 'in one response'],
    ['tiny chunks with extensions', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `1;${'x'.repeat(100)}\r\nx\r\n`, 'in one response'],
  ])('that sends endless %s is cut off after little of it', async (_, start, part, message) => {
    let sent = 0;
    let closed: Promise<unknown> | undefined;
    const url = await rawReceiver((socket) => {
      closed = new Promise((resolve) => socket.on('close', resolve));
      socket.write(start);
      flood(socket, part.repeat(Math.ceil(16_384 / part.length)), (bytes) => (sent += bytes));
    });
    const { failure, status } = await post(url);
    expect(failure).toMatchObject({ class: 'bad_response', stage: 'after' });
    expect(failure?.message).toContain(message);
    expect(status === undefined || status === 200).toBe(true);
    await closed;
    // The rest is in the buffers of both sockets.
    expect(sent).toBeLessThan(16 * 1024 ** 2);
  }); // prettier-ignore

  it.each([
    ['after eight early hints', 'HTTP/1.1 103 X\r\nlink: </a>\r\n\r\n'.repeat(8), '200 OK', 200],
    ['in HTTP/1.0', '', '200 OK', 200],
    ['in tiny chunks', '', '200 OK\r\ntransfer-encoding: chunked', 200],
    ['with 15 KiB of headers', '', `200 OK\r\nx: ${'y'.repeat(15 * 1024)}`, 200],
  ])('a misbehaving receiver that responses %s succeeds', async (name, before, head, status) => {
    const body = head.includes('chunked') ? `${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n` : 'ok';
    const version = name.includes('1.0') ? '1.0' : '1.1';
    const url = await rawReceiver((s) => s.end(`${before}HTTP/${version} ${head}\r\n\r\n${body}`));
    const result = await post(url);
    expect(result).toMatchObject({ status, failure: undefined });
  }); // prettier-ignore

  it('a misbehaving receiver that keeps a connection open is never cut off for its earlier responses', async () => {
    const url = await rawReceiver((socket) => {
      const head = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(10_000)}\r\ncontent-length: 50000\r\n\r\n`;
      socket.write(head + 'z'.repeat(50_000));
      socket.on('data', () => socket.write(head + 'z'.repeat(50_000)));
    });
    for (let round = 0; round < 10; round += 1) {
      expect(await post(url)).toMatchObject({ status: 200, failure: undefined });
    }
  });

  it('a misbehaving receiver that sends more after its response does not disturb the next attempt', async () => {
    let connections = 0;
    const url = await rawReceiver((socket) => {
      connections += 1;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      keepWriting(socket, 'HTTP/1.1 103 X\r\n\r\n'.repeat(1_000), 1);
    });
    for (let round = 0; round < 3; round += 1) {
      expect(await post(url)).toMatchObject({ status: 200, failure: undefined });
    }
    expect(connections).toBeGreaterThan(1);
  });

  it('a misbehaving receiver that responses before it has read the request is judged by its response', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 413 Too large\r\ncontent-length: 0\r\n\r\n');
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { failure } = await post(`http://127.0.0.1:${String(port)}/`);
    // The response may arrive before undici has a request to match it with.
    expect(['status_refused', 'send_failed', 'answer_invalid']).toContain(failure?.class);
  });

  it('a misbehaving receiver that sends an endless body is read up to 64 KiB, and judged by its status', async () => {
    let sent = 0;
    for (const [status, expected] of [
      ['200 OK', undefined],
      ['500 Oops', 'status_failed'],
    ] as const) {
      let closed: Promise<unknown> | undefined;
      const url = await rawReceiver((socket) => {
        closed = new Promise((resolve) => socket.on('close', resolve));
        socket.write(`HTTP/1.1 ${status}\r\n\r\n`);
        flood(socket, 'z'.repeat(65_536), (bytes) => (sent += bytes));
      });
      const result = await post(url);
      expect(result.failure?.class).toBe(expected);
      expect(result.body.toString()).toBe('z'.repeat(17 * 1024));
      // We have closed the connection, so nothing else arrives.
      await closed;
    }
    expect(sent).toBeLessThan(64 * 1024 ** 2);
  });

  it('a misbehaving receiver that sends a gzip bomb gets nothing decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 ** 2));
    const receiver = await WebhookReceiver.start((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const result = await post(receiver.url);
    expect(result.failure).toBeUndefined();
    expect(result.body).toEqual(bomb.subarray(0, 17 * 1024));
    await receiver.close();
  });
});

describe('a post', () => {
  it('a post does not follow redirects', async () => {
    const target = await WebhookReceiver.start();
    const receiver = await WebhookReceiver.start(respondWith(307, { location: target.url }));
    const result = await post(receiver.url);
    expect(result).toMatchObject({ status: 307, failure: { class: 'status_redirect' } });
    expect(target.received).toHaveLength(0);
    await Promise.all([target.close(), receiver.close()]);
  });

  it('a post uses no proxy from the environment', async () => {
    const proxy = await WebhookReceiver.start(hang);
    const variables = ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY'].map((name) => [name, proxy.url]);
    const before = { ...process.env };
    Object.assign(process.env, Object.fromEntries(variables), { NODE_USE_ENV_PROXY: '1' });
    const receiver = await WebhookReceiver.start();
    expect((await post(receiver.url, new ReceiverClient(LOOPBACK, LIMIT_MS))).status).toBe(204);
    expect(proxy.received).toHaveLength(0);
    for (const name of Object.keys(process.env)) {
      if (!(name in before)) Reflect.deleteProperty(process.env, name);
    }
    await Promise.all([proxy.close(), receiver.close()]);
  });

  it('a post to a closed port, or to a name without an address, fails with that reason', async () => {
    const receiver = await WebhookReceiver.start();
    const { url } = receiver;
    await receiver.close();
    expect((await post(url)).failure?.class).toBe('connect_refused');
    jest.spyOn(dns, 'lookup').mockImplementation(((_: string, __: object, callback: Done) => {
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []);
    }) as never);
    expect((await post('http://gone.example.com/')).failure).toMatchObject({
      class: 'name_unknown',
      stage: 'before',
    });
  });

  it('a post needs a trusted certificate for this host', async () => {
    const folder = join(process.cwd(), 'test/support/certificates');
    const server = createHttpsServer({
      key: readFileSync(join(folder, 'receiver-key.pem')),
      cert: readFileSync(join(folder, 'receiver.pem')),
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const result = await post(`https://127.0.0.1:${port}/`);
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    expect(result.failure).toMatchObject({ class: 'tls_failed', stage: 'before' });
    const plain = await rawReceiver((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    expect((await post(plain.replace('http:', 'https:'))).failure).toMatchObject({
      class: 'tls_failed',
      message: expect.stringContaining('(wrong version number)'),
    });
    const silent = await rawReceiver(() => undefined);
    expect((await post(silent.replace('http:', 'https:'))).failure?.class).toBe('connect_timeout');
  });

  it('a post without a response when the lease ends is aborted and has no result', async () => {
    const receiver = await WebhookReceiver.start(hang);
    expect(await client.post(receiver.url, {}, BODY, performance.now() + 100)).toBeUndefined();
    await eventually(() => receiver.underWay === 0);
    await receiver.close();
  });

  it('a post sends nothing if the lease ends before there is a connection', async () => {
    const receiver = await WebhookReceiver.start();
    expect(await client.post(receiver.url, {}, BODY, performance.now())).toBeUndefined();
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  it('a post that is cut off by the end of the process has no result', async () => {
    const receiver = await WebhookReceiver.start(hang);
    const posted = client.post(receiver.url, {}, BODY, LEASED_UNTIL);
    await receiver.until(() => receiver.underWay === 1).catch(() => undefined);
    client.abortAll();
    expect(await posted).toBeUndefined();
    await receiver.close();
  });
});

type Done = (error: Error | null, addresses: dns.LookupAddress[]) => void;

/** Replaces DNS: returns the responses in turn, repeats the last one, and counts the look-ups. */
function resolveTo(...responses: string[][]) {
  let turn = 0;
  return jest.spyOn(dns, 'lookup').mockImplementation(((_: string, __: object, callback: Done) => {
    const addresses = responses[Math.min(turn++, responses.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as never);
}

describe('a connection', () => {
  it.each([
    [['10.0.0.7']],
    [['169.254.169.254']],
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:10.0.0.7']],
    [['64:ff9b::a00:7']],
    [['2002:a00:7::']],
    [['fd00::1', '2606:4700::1']],
    [['93.184.215.14', '10.0.0.7']],
  ])('a connection is not made to a name that resolves to %j', async (addresses) => {
    const lookup = resolveTo(addresses);
    const strict = new ReceiverClient(
      { webhookAllowedNetworks: [], webhookAllowHttp: true },
      LIMIT_MS,
    );
    const result = await post('http://rebound.example.com/', strict);
    expect(result.failure).toMatchObject({ class: 'address_refused', stage: 'before' });
    expect(result.failure?.message).toMatch(/not public, so nothing was sent/);
    expect(lookup).toHaveBeenCalledTimes(1);
    await strict.close();
  });

  it('a connection is not made to a name that resolves to nothing, and the process survives', async () => {
    resolveTo([]);
    expect((await post('http://empty.example.com/')).failure).toMatchObject({
      class: 'name_unknown',
      stage: 'before',
    });
  });

  it('a connection goes to the checked address, whatever the name resolves to next', async () => {
    const receiver = await WebhookReceiver.start();
    const lookup = resolveTo(['127.0.0.1'], ['10.0.0.7']);
    const url = `http://changing.example.com:${String(receiver.port)}/`;
    expect((await post(url)).status).toBe(204);
    expect(lookup).toHaveBeenCalledTimes(1);
    // Another connection repeats the look-up and the check.
    const another = new ReceiverClient(LOOPBACK, LIMIT_MS);
    expect((await post(url, another)).failure?.class).toBe('address_refused');
    expect(receiver.received).toHaveLength(1);
    await Promise.all([another.close(), receiver.close()]);
  });

  it.each([
    'http://10.0.0.7/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://localhost/',
    'http://user:pass@example.com/',
    'ftp://example.com/',
  ])(
    'a connection is not even tried if the operator has closed what was open at the registration: %s',
    async (url) => {
      const strict = new ReceiverClient(
        { webhookAllowedNetworks: [], webhookAllowHttp: true },
        LIMIT_MS,
      );
      const lookup = resolveTo(['93.184.215.14']);
      expect((await post(url, strict)).failure).toMatchObject({
        class: 'url_refused',
        stage: 'before',
      });
      expect(lookup).not.toHaveBeenCalled();
      await strict.close();
    },
  );
});
