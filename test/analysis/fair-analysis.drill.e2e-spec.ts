import { randomBytes } from 'node:crypto';
import { makeAccount } from '../support/accounts.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { endOf, type ShownJob } from '../support/jobs.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { drillCount } from '../support/drills.js';

/** Loading the engine and analyzing texts takes long on a busy machine. */
jest.setTimeout(600_000);

const PATIENCE_MS = 300_000;
const LONG_DOCUMENTS = drillCount({ small: 4, full: 12 });
const TIMES = drillCount({ small: 2, full: 3 });
const LONG_CHARACTERS = 486_000;
const SENTENCES = [
  'The committee has reviewed the proposal, and it was decided that a new plan is needed.',
  'Our customers often asks for faster answers when the servers are under heavy load.',
  'In order to utilize the full range of features, you should of read the manual first.',
  'She recieved the report on Monday and forwarded it to every member of the team.',
  'There is many reasons why the results of the second survey differ from the first one.',
];

let database: Awaited<ReturnType<typeof openTestDatabase>>;
/** One for all cases, because it takes long to load the engine. */
let service: ServiceProcess;
beforeAll(async () => {
  database = await openTestDatabase();
  service = await startService({
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'all',
  });
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

async function newAccount(): Promise<ApiClient> {
  return new ApiClient(service.origin, (await makeAccount(database.dataSource)).key);
}

/** Returns a text in paragraphs of five sentences, different for every `seed`. */
function text(characters: number, seed: string): string {
  const paragraphs: string[] = [];
  for (let length = 0, n = 0; length < characters; n += 1) {
    const paragraph = `${SENTENCES.join(' ')} This is part ${String(n)} of ${seed}.`;
    paragraphs.push(paragraph);
    length += paragraph.length + 2;
  }
  return paragraphs.join('\n\n').slice(0, characters);
}

/** About 2,000 words. */
const shortText = (seed: string) => text(11_500, seed);

async function analyzed(api: ApiClient, content: string): Promise<void> {
  const response = await api.send('POST', '/v1/analyze', { body: { content, language: 'en' } });
  if (response.status === 200) return;
  expect(await endOf(api, response, PATIENCE_MS)).toMatchObject({ status: 'succeeded' });
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function createDocument(api: ApiClient, content: string, more = {}): Promise<string> {
  const created = await api.createDocument({ title: 'A text', content, ...more });
  return (expectSuccess(created, 201) as { id: string }).id;
}

/** Something that was ordered, by the client that ordered it. */
interface Order {
  api: ApiClient;
  response: ApiResponse;
}

const jobIdOf = ({ response }: Order) => (response.body as { data: ShownJob }).data.id;

async function unfinished(orders: readonly Order[]): Promise<number> {
  const jobs = await Promise.all(
    orders.map(async (order) => (await order.api.readJob(jobIdOf(order))).body.data as ShownJob),
  );
  return jobs.filter(({ finishedAt }) => finishedAt === null).length;
}

/** Runs `work` a few times alone, and then just as often while `orders` of another account are queued and running. */
async function compared(
  work: (seed: string) => Promise<void>,
  order: () => Promise<Order[]>,
): Promise<void> {
  await work('the first text');
  const alone: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    alone.push(await milliseconds(() => work(`text ${String(n)}`)));
  }
  const orders = await order();
  expect(orders.map(({ response }) => response.status)).toEqual(orders.map(() => 202));
  const beside: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    beside.push(await milliseconds(() => work(`text ${String(n)} beside others`)));
  }
  expect(await unfinished(orders)).toBeGreaterThan(orders.length / 3);
  await Promise.all(orders.map((one) => one.api.cancelJob(jobIdOf(one))));
  const [own = 0] = [...alone].sort((one, other) => one - other).slice(1);
  expect(Math.max(...beside)).toBeLessThan(2 * own + 1_000);
}

describe('A short text is analyzed about as fast as when it is alone', () => {
  it('A short text is analyzed about as fast as when it is alone while an account has many long documents analyzed', async () => {
    const small = await newAccount();
    await compared(
      (seed) => analyzed(small, shortText(seed)),
      async () => {
        const api = await newAccount();
        const orders: Order[] = [];
        for (let n = 0; n < LONG_DOCUMENTS; n += 1) {
          const id = await createDocument(api, text(LONG_CHARACTERS, `document ${String(n)}`));
          const response = await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} });
          orders.push({ api, response });
        }
        return orders;
      },
    );
  });

  it('A short text is analyzed about as fast as when it is alone while two accounts have documents of one paragraph enhanced', async () => {
    const small = await newAccount();
    await compared(
      (seed) => analyzed(small, shortText(seed)),
      async () => {
        const content = text(LONG_CHARACTERS, 'a paragraph').replaceAll('\n\n', ' ');
        const enhance = async (api: ApiClient) => {
          const id = await createDocument(api, content);
          const response = await api.send('POST', `/v1/documents/${id}/enhance`, { body: {} });
          return { api, response };
        };
        const [one, other] = [await newAccount(), await newAccount()];
        const orders: Order[] = [];
        for (let n = 0; n < 4; n += 1) orders.push(await enhance(one), await enhance(other));
        return orders;
      },
    );
  });

  it('A short text is analyzed about as fast as when it is alone while an account tries costly style rules on many short documents', async () => {
    const small = await newAccount();
    await compared(
      (seed) => analyzed(small, shortText(seed)),
      async () => {
        const api = await newAccount();
        await Promise.all(
          Array.from({ length: 60 }, (_, n) => createDocument(api, shortText(String(n)))),
        );
        const rules = Array.from({ length: 40 }, (_, n) => ({
          id: `rule-${String(n)}`,
          kind: 'pattern',
          pattern: `(?:[a-z]+ ){1,300}never${String(n)}`,
        }));
        expectSuccess(await api.send('POST', '/v1/style-rules', { body: { rules } }), 201);
        return [{ api, response: await api.send('POST', '/v1/style-rules/1/dry-run') }];
      },
    );
  });
});

describe('A text of an editor is checked before texts that wait', () => {
  const LONGEST_CHECK = 62_000;
  const sentence = (seed: string) => `We recieve the the results of ${seed}.`;

  async function check(api: ApiClient, content: string): Promise<number> {
    const body = JSON.stringify({ text: content, language: 'en-US' });
    const headers = { 'content-type': 'application/json' };
    const { status } = await api.send('POST', '/v2/check', { rawBody: body, headers });
    return status;
  }

  it.each([
    ['an account has eight long texts checked', 1, 8, (seed: string) => text(LONGEST_CHECK, seed)],
    [
      'an account has eight long texts of one paragraph checked',
      1,
      8,
      (seed: string) => text(LONGEST_CHECK, seed).replaceAll('\n\n', ' '),
    ],
    ['forty accounts have a long text checked', 40, 1, (seed: string) => text(LONGEST_CHECK, seed)],
    ['an account has thirty short texts checked', 1, 30, shortText],
  ])(
    'A text of an editor is checked before most texts that were sent earlier while %s',
    async (_, accounts, count, longText) => {
      const small = await newAccount();
      const others = await Promise.all(Array.from({ length: accounts }, newAccount));
      for (const make of [sentence, shortText]) {
        let isOver = false;
        let finished = 0;
        const flood = others.flatMap((api, index) =>
          Array.from({ length: count }, async (__, n) => {
            for (let again = 0; !isOver; again += 1) {
              const longer = longText(`${String(index)} ${String(n)} ${String(again)}`);
              if ((await check(api, longer)) === 200) finished += 1;
            }
          }),
        );
        const earlier: number[] = [];
        for (let n = 0; n < TIMES; n += 1) {
          const before = finished;
          expect(await check(small, make(`text ${String(n)} beside others`))).toBe(200);
          earlier.push(finished - before);
        }
        isOver = true;
        await Promise.all(flood);
        // In the order of arrival, all of them would end first. In turns, it is none or one.
        expect(Math.max(...earlier)).toBeLessThanOrEqual((accounts * count) / 4);
      }
    },
  );
});

it('A short document is exported about as fast as when it is alone while an account has long documents exported', async () => {
  const small = await newAccount();
  const exported = async (seed: string) => {
    const id = await createDocument(small, shortText(seed));
    expect((await small.exportDocument(id, 'pdf')).status).toBe(200);
  };
  await compared(exported, async () => {
    const api = await newAccount();
    const orders: Order[] = [];
    for (let n = 0; n < LONG_DOCUMENTS; n += 1) {
      const id = await createDocument(api, text(LONG_CHARACTERS, String(n)));
      orders.push({ api, response: await api.exportDocument(id, 'pdf') });
    }
    return orders;
  });
});
