import type { ServerResponse } from 'node:http';
import { Config } from '../../src/platform/config/config.js';
import { AppError } from '../../src/platform/basics/errors/app-error.js';
import type { EnhanceRequest } from '../../src/features/analysis/providers/analysis-provider.js';
import { ModelProvider } from '../../src/features/analysis/providers/model/model-provider.js';
import { TokenBudgetService } from '../../src/features/analysis/providers/model/token-budget.service.js';
import { OfflineProvider } from '../../src/features/analysis/providers/offline/offline-provider.js';
import type { TestAccount } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import {
  edits,
  FakeModel,
  says,
  status,
  type Asked,
  type ModelBehaviour,
} from '../support/fake-model.js';

const PARAGRAPHS = 520;

/** A text of about 300 KB whose paragraphs are all different. */
const LONG = [
  '# The long report',
  ...Array.from({ length: PARAGRAPHS }, (_, index) => paragraphOf(index)),
].join('\n\n');

function paragraphOf(index: number): string {
  const name = `P${String(index).padStart(4, '0')}`;
  const words = 'The committee of the town met again and looked at the plan. '.repeat(9);
  const heading = index % 100 === 0 ? `## Chapter ${String(index / 100 + 1)}\n\n` : '';
  return `${heading}${name} begins here. ${words}It ends as teh ${name} paragraph.`;
}

const nameIn = (paragraph: string) => /^P\d{4}/.exec(paragraph)?.[0];

/** Proposes one edit in each paragraph that it is shown. */
const correctsAll: ModelBehaviour = (asked, response) =>
  edits(
    ...asked.paragraphs.flatMap((text, index) =>
      text.includes('teh') ? [{ paragraph: index + 1, find: 'teh', replace: 'the' }] : [],
    ),
  )(asked, response);

let app: TestApp;
let model: FakeModel;
let account: TestAccount;
let provider: ModelProvider;

beforeAll(async () => {
  model = await FakeModel.start();
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', AI_BASE_URL: model.url, AI_MODEL: 'fake-1' },
  });
  provider = new ModelProvider(
    app.app.get(Config),
    app.app.get(OfflineProvider),
    app.app.get(TokenBudgetService, { strict: false }),
  );
});
beforeEach(async () => {
  account = await app.account({ plan: 'enterprise' });
});
afterAll(async () => {
  await provider.onApplicationShutdown();
  await app.close();
  await model.close();
});

const request = (changed: Partial<EnhanceRequest> = {}): EnhanceRequest => ({
  accountId: account.accountId,
  content: LONG,
  format: 'markdown',
  settings: { checks: ['grammar'], language: 'auto', suggestionLevel: 'medium' },
  rules: { words: [], styleRules: [] },
  dismissed: [],
  goals: ['clarity'],
  instructions: null,
  tone: null,
  targetLanguage: null,
  ...changed,
});

function enhance(changed?: Partial<EnhanceRequest>, signal = new AbortController().signal) {
  const reported: { done: number; total: number | null }[] = [];
  const made = provider.enhance(request(changed), signal, (progress) => reported.push(progress));
  return { made, reported };
}

/** Uses `unusual` for requests that show the paragraph, and `usual` for all others. */
function unless(paragraph: string, unusual: ModelBehaviour, usual = correctsAll): ModelBehaviour {
  return (asked, response) =>
    (asked.paragraphs.some((text) => text.startsWith(paragraph)) ? unusual : usual)(
      asked,
      response,
    );
}

describe('A long text', () => {
  it('A long text reaches the model completely, each paragraph once, and progress counts its parts', async () => {
    model.behave(correctsAll);
    const { made, reported } = enhance();
    const { suggestions, dropped, warnings } = await made;
    expect(Buffer.byteLength(LONG)).toBeGreaterThan(300_000);
    const names = model.asked.flatMap(({ paragraphs }) =>
      paragraphs.map(nameIn).filter((name) => name !== undefined),
    );
    expect(names).toHaveLength(PARAGRAPHS);
    expect(new Set(names).size).toBe(PARAGRAPHS);
    expect(suggestions).toHaveLength(PARAGRAPHS);
    for (const { start, end, original } of suggestions) {
      expect(LONG.slice(start, end)).toBe(original);
    }
    expect([dropped, warnings]).toEqual([{}, []]);
    const total = model.asked.length;
    expect(reported).toEqual(Array.from({ length: total + 1 }, (_, done) => ({ done, total })));
  });

  it('A long text is shown with its outline and the text before each part, which are not to be edited', async () => {
    model.behave(correctsAll);
    await enhance().made;
    const userOf = ({ body }: Asked) =>
      String(body.messages?.find(({ role }) => role === 'user')?.content);
    const second = model.asked.find(({ paragraphs }) =>
      paragraphs.some((one) => one.startsWith('P0010')),
    );
    expect(userOf(second as Asked)).toContain('# The long report\n## Chapter 1');
    expect(userOf(second as Asked)).toContain('only for context');
    expect(second?.system).toContain('never edit it');
    model.behave(edits());
    await enhance({ content: 'A short text.' }).made;
    expect(userOf(model.asked[0] as Asked)).not.toContain('only for context');
  });

  it('A long text keeps the suggestions of other parts when one fails twice, and names its lines', async () => {
    model.behave(unless('P0100', status(422)));
    const { suggestions, warnings } = await enhance().made;
    expect(suggestions.length).toBeGreaterThan(PARAGRAPHS - 20);
    expect(suggestions.length).toBeLessThan(PARAGRAPHS);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^The model did not process lines \d+–\d+ \(1 of \d+ parts\)\. The model's server refused the request with 422\./,
    );
    const [from, to] =
      /lines (\d+)–(\d+)/
        .exec(warnings[0] ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    const lines = LONG.split('\n').slice((from ?? 0) - 1, to);
    expect(lines.join('\n')).toContain('P0100 begins');
    for (const line of lines.filter((one) => one.startsWith('P'))) {
      const start = LONG.indexOf(line);
      const inside = suggestions.filter(
        (one) => one.start >= start && one.end <= start + line.length,
      );
      expect(inside).toEqual([]);
    }
  });

  it('A long text is complete when a part fails once', async () => {
    let failures = 0;
    const once: ModelBehaviour = (asked, response) =>
      (failures++ === 0 ? status(422) : correctsAll)(asked, response);
    model.behave(unless('P0100', once));
    const { suggestions, warnings } = await enhance().made;
    expect(suggestions).toHaveLength(PARAGRAPHS);
    expect(warnings).toEqual([]);
  });

  it('A long text stops early when the server refuses everything', async () => {
    model.behave(status(401));
    await expect(enhance().made).rejects.toThrow(/rejects the key/);
    expect(model.asked.length).toBeLessThanOrEqual(3);
    model.behave(status(422));
    await expect(enhance().made).rejects.toThrow(/refused the request with 422/);
    expect(model.asked.length).toBeLessThan(20);
  });

  it('A long text stops early when the server fails in the middle, and keeps what it has', async () => {
    let responses = 0;
    model.behave((asked, response) =>
      (responses++ < 10 ? correctsAll : status(500, { 'retry-after': '0' }))(asked, response),
    );
    const { suggestions, warnings } = await enhance().made;
    expect(suggestions.length).toBeGreaterThan(50);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /lines \d+–\d+(, \d+–\d+)* \(\d+ of \d+ parts\)\. .*repeatedly failed with 500/,
    );
    expect(model.asked.length).toBeLessThan(10 + 4 * 7);
  });

  it('A long text ends with what it has when the daily tokens are used up', async () => {
    account = await app.account({ plan: 'free' });
    const usage = { prompt_tokens: 3_000, completion_tokens: 500, total_tokens: 3_500 };
    model.behave((asked, response) => {
      const edit = { paragraph: 1, find: 'teh', before: '', replace: 'the', reason: '' };
      return says(JSON.stringify({ edits: [edit] }), usage)(asked, response);
    });
    const { suggestions, warnings } = await enhance().made;
    // 100,000 tokens allow 28 calls of 3,500, less what the next call reserves.
    expect(model.asked.length).toBeGreaterThan(24);
    expect(model.asked.length).toBeLessThanOrEqual(28);
    expect(suggestions.length).toBeGreaterThan(20);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('100,000 language model tokens per day');
    const again: unknown = await enhance().made.catch((error: unknown) => error);
    expect(again).toBeInstanceOf(AppError);
    expect(again).toMatchObject({ kind: 'forbidden' });
  });

  it('A long text is summarized part by part', async () => {
    model.behave(says(JSON.stringify({ text: 'x'.repeat(1_900) })));
    const { made, reported } = enhance({ goals: ['summarise'] });
    const { texts } = await made;
    expect(texts).toEqual([{ goal: 'summarise', text: 'x'.repeat(1_900), source: 'model' }]);
    const names = model.asked.flatMap(
      ({ paragraphs }) => paragraphs.join('\n').match(/^P\d{4}/gm) ?? [],
    );
    expect(new Set(names).size).toBe(PARAGRAPHS);
    expect(names).toHaveLength(PARAGRAPHS);
    expect(reported.at(-1)?.done).toBe(reported.at(-1)?.total);
  });

  it('A long text keeps its suggestions when its title fails', async () => {
    const title: ModelBehaviour = says('{"text": ""}');
    model.behave((asked, response) =>
      (asked.system.includes('title') ? title : correctsAll)(asked, response),
    );
    const { suggestions, texts, warnings } = await enhance({ goals: ['clarity', 'title'] }).made;
    expect(suggestions).toHaveLength(PARAGRAPHS);
    expect(texts).toEqual([]);
    expect(warnings.join()).toContain('The model returned no text for the goal title');
  });
});

describe('The job of a long text', () => {
  async function begun(behaviour: ModelBehaviour) {
    const { api } = await app.account({ plan: 'enterprise' });
    const settings = { provider: 'model' };
    expectSuccess(await api.send('PATCH', '/v1/analysis-settings', { body: settings }));
    const created = await api.createDocument({ title: 'x', content: LONG });
    const { id } = expectSuccess(created, 201) as { id: string };
    model.behave(behaviour);
    const body = { goals: ['rewrite'] };
    const reply = await api.send('POST', `/v1/documents/${id}/enhance`, { body });
    const job = expectSuccess(reply, 202) as { id: string; enhancementId: string };
    return { api, id, job };
  }

  it('The job of a long text shows its progress, and makes no more calls once it is cancelled', async () => {
    const open: ServerResponse[] = [];
    let responses = 0;
    const { api, id, job } = await begun((asked, response) => {
      if (responses++ < 5) return correctsAll(asked, response);
      open.push(response);
      return undefined;
    });
    const read = async () =>
      expectSuccess(await api.send('GET', `/v1/jobs/${job.id}`)) as {
        status: string;
        progress: { done: number; total: number };
      };
    const { progress } = await eventually(read, (shown) => shown.progress.done === 5);
    expect(progress.total).toBeGreaterThan(50);
    await eventually(
      () => open.length,
      (count) => count === 3,
    );
    expectSuccess(await api.send('DELETE', `/v1/jobs/${job.id}`));
    // The calls in flight are aborted.
    await eventually(() => open.every(({ destroyed }) => destroyed));
    expect((await read()).status).toBe('cancelled');
    expect(model.asked).toHaveLength(8);
    const path = `/v1/documents/${id}/enhancements/${job.enhancementId}`;
    expect(expectSuccess(await api.send('GET', path))).toMatchObject({
      status: 'failed',
      suggestions: [],
    });
  });
});
