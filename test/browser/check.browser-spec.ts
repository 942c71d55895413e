import type { Page } from 'playwright-core';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  ANALYZED_WITHIN_MS,
  checkerReady,
  describeInBrowser,
  editorReady,
  useDashboard,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

interface SentCheck {
  content: string;
  ranges: { start: number; end: number }[];
}

describeInBrowser('the check of a text', () => {
  const dashboard = useDashboard();
  let ada: Visitor;
  let page: Page;

  beforeEach(async () => {
    ada = await dashboard.visitor('Ada', 'enterprise');
    ({ page } = ada);
    await checkerReady(dashboard, ada);
  });

  const api = async (method: string, path: string, data?: unknown): Promise<any> => {
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1${path}`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const response = await ada.context.request.fetch(url, { method, headers, data });
    return ((await response.json()) as { data: unknown }).data;
  };
  const contentOf = async (id: string) =>
    ((await api('GET', `/documents/${id}`)) as { content: string }).content;
  const create = async (content: string) =>
    ((await api('POST', '/documents', { title: 'Text', content })) as { id: string }).id;
  const open = async (id: string, panel = 'check') => {
    await page.goto(
      `${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${id}?panel=${panel}`,
    );
    await editorReady(page);
  };
  const panel = () => page.getByRole('complementary', { name: 'Check' });
  const cards = () => page.getByRole('list', { name: 'Notes on the text' }).getByRole('listitem');
  const card = (name: string) => page.getByRole('listitem', { name, exact: true });
  const content = () => page.getByRole('textbox', { name: 'Content', exact: true });
  const says = (sentence: string) =>
    panel().getByRole('status').getByText(sentence, { exact: true }).waitFor({
      timeout: ANALYZED_WITHIN_MS,
    });
  /** Records the checks that the page requests from now on. */
  const watchChecks = () => {
    const sent: SentCheck[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/v1/analyze'))
        sent.push(request.postDataJSON() as SentCheck);
    });
    return sent;
  };

  it('the check of a text finds issues after a pause in typing, and sends only the paragraph that changed', async () => {
    const sent = watchChecks();
    const id = await create('The first paragraph is teh one.\n\nThe second paragraph is fine.');
    await open(id);
    await says('1 issue');
    expect(sent).toHaveLength(1);
    await content().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' We recieve it.', { delay: 40 });
    await says('2 issues');
    expect(sent).toHaveLength(2);
    const [range] = sent[1]?.ranges ?? [];
    expect(sent[1]?.ranges).toHaveLength(1);
    expect(sent[1]?.content.slice(range?.start, range?.end)).toBe(
      'The second paragraph is fine. We recieve it.',
    );
    // Known paragraphs are not sent again.
    await page.keyboard.type(' x', { delay: 40 });
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+s');
    await page.keyboard.type(' More', { delay: 40 });
    await eventually(
      () => sent.length,
      (count) => count === 3,
    );
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
  });

  it('the check of a text has the issues of the stored analysis, also in German and in repeated words', async () => {
    const text =
      '# Ein Bericht\n\nDie Ergebniße waren nähmlich gut.\n\nWir standen for der Tür.\n\n- Der Grossvater schläft.\n\nDas Zorblig kommt.\n\nEin Zorblig geht.\n\nMein Zorblig bleibt.';
    const id = await create(text);
    const stored = (await eventually(
      () => api('POST', `/documents/${id}/analyze`, {}),
      (found: { issues?: unknown }) => found.issues !== undefined,
      ANALYZED_WITHIN_MS,
    )) as { issues: { id: string }[] };
    const response = page.waitForResponse((one) => one.url().endsWith('/v1/analyze'));
    await open(id);
    const { data } = (await (await response).json()) as { data: typeof stored };
    expect(stored.issues.length).toBeGreaterThan(0);
    expect(data.issues).toEqual(stored.issues);
    await waitForCount(cards(), stored.issues.length);
  });

  it('the check of a text moves from an accepted issue to the next card, and typing goes back to the text', async () => {
    const id = await create('One is teh first.\n\nTwo is recieved.\n\nThree is untill later.');
    await open(id);
    await says('3 issues');
    await content().click();
    await page.keyboard.press('Control+End');
    await page.getByRole('button', { name: 'Accept the for teh' }).click();
    await content().getByText('One is the first.').waitFor();
    await card('spelling: recieved').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Later');
    await content().getByText('Three is untill later.Later').waitFor();
    await cards().first().focus();
    await page.keyboard.press('F7');
    await card('spelling: untill').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Shift+F7');
    await card('spelling: recieved').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await panel().waitFor();
    await page.keyboard.type('!');
    await content().getByText('Three is untill later.Later!').waitFor();
    // In the text, F7 selects the next issue.
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('F7');
    await page.keyboard.type('got');
    await content().getByText('Two is got.').waitFor();
    await page.keyboard.press('Control+s');
    await eventually(
      () => contentOf(id),
      (stored) => stored === 'One is the first.\n\nTwo is got.\n\nThree is untill later.Later!',
    );
  });

  it('the check of a text applies all safe fixes as one step, which Ctrl+Z reverts', async () => {
    const text = 'We definately recieve it.\n\nIt is teh end.';
    const id = await create(text);
    await open(id);
    await panel()
      .getByRole('button', { name: /^Apply \d safe fixes$/ })
      .click({ timeout: ANALYZED_WITHIN_MS });
    await content().getByText('We definitely receive it.').waitFor();
    await page.keyboard.press('Control+s');
    await eventually(
      () => contentOf(id),
      (stored) => stored.startsWith('We definitely receive it.'),
    );
    await page.keyboard.press('Control+z');
    await content().getByText('We definately recieve it.').waitFor();
    await page.keyboard.press('Control+s');
    await eventually(
      () => contentOf(id),
      (stored) => stored === text,
    );
  });

  it('the check of a text adds words, turns rules off and ignores issues at once, each with Undo', async () => {
    const id = await create('They accused him for stealing. Blorfux is definately so.');
    await open(id);
    const rule = card('grammar: for');
    await rule.waitFor({ timeout: ANALYZED_WITHIN_MS });
    const choose = async (name: string, item: string) => {
      await card(name)
        .getByRole('button', { name: /^Actions for / })
        .click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const undo = async (sentence: RegExp) => {
      const message = page.getByRole('status').filter({ hasText: sentence });
      await message.getByRole('button', { name: 'Undo' }).click();
    };
    await choose('grammar: for', 'Show rule');
    expect(await rule.innerText()).toMatch(/Rule grammar\.accuse-of · \d\d% sure/);
    // The next card makes room for the rule.
    await eventually(async () => {
      const [own, next] = [
        await rule.boundingBox(),
        await card('spelling: definately').boundingBox(),
      ];
      return own !== null && next !== null && own.y + own.height <= next.y;
    });
    await choose('grammar: for', 'Turn off rule');
    await rule.waitFor({ state: 'detached' });
    await undo(/turned off for the account/);
    await rule.waitFor();

    const word = card('spelling: definately');
    await choose('spelling: definately', 'Add to dictionary');
    await word.waitFor({ state: 'detached' });
    await eventually(
      () => api('GET', '/dictionary'),
      ({ words }: { words: string[] }) => words.includes('definately'),
    );
    await undo(/added to the dictionary/);
    await word.waitFor();

    await word.getByRole('button', { name: 'Ignore definately' }).click();
    await word.waitFor({ state: 'detached' });
    await eventually(
      () => api('GET', `/documents/${id}/dismissals`),
      (found: unknown[]) => found.length === 1,
    );
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.reload();
    await rule.waitFor();
    expect(await word.count()).toBe(0);
  });

  it('the check of a text waits calmly offline and after 429, and continues', async () => {
    const id = await create('One is teh first.');
    await open(id);
    await says('1 issue');
    await page.route('**/v1/analyze', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '1' },
        json: { success: false, error: { code: 'RATE_LIMITED', message: 'Too many requests.' } },
      }),
    );
    await content().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' We recieve it.');
    const sentence = panel().getByText('Checking is paused. It continues automatically.');
    await sentence.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unroute('**/v1/analyze');
    await says('2 issues');
    await sentence.waitFor({ state: 'detached' });
    await ada.context.setOffline(true);
    await page.keyboard.type(' It is untill then.');
    await sentence.waitFor();
    await ada.context.setOffline(false);
    await says('3 issues');
  });

  it('the check of a text opens from the addresses of earlier releases, and does not move the text', async () => {
    const id = await create('# One\n\nIt is teh end.\n\n# Two\n\nMore.');
    for (const width of [1440, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await open(id, 'suggestions');
      await panel().waitFor();
      const before = await content().boundingBox();
      await panel().getByRole('button', { name: 'Close Check' }).click();
      await panel().waitFor({ state: 'detached' });
      expect(await content().boundingBox()).toEqual(before);
    }
    await open(id, 'analysis');
    await panel().getByText('Scores and readability').click();
    await panel().getByRole('button', { name: 'Analyze text' }).click();
    await panel().getByText('Overall').waitFor({ timeout: ANALYZED_WITHIN_MS });
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await panel().getByText('Outline', { exact: true }).click();
    await panel().getByRole('button', { name: 'Two' }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await panel().getByRole('button', { name: 'Accept the for teh' }).waitFor();
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(390);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
  });

  it('the check of a text shows viewers the issues of the stored analysis without actions', async () => {
    const id = await create('It is teh end.');
    await eventually(
      () => api('POST', `/documents/${id}/analyze`, {}),
      (found: { issues?: unknown }) => found.issues !== undefined,
      ANALYZED_WITHIN_MS,
    );
    await dashboard.app.dataSource.query(
      `UPDATE members SET role = 'viewer' WHERE account_id = $1`,
      [decodeId('account', ada.accountId)],
    );
    await page.goto(
      `${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${id}?panel=check`,
    );
    await says('1 issue');
    await card('spelling: teh').waitFor();
    expect(
      await panel()
        .getByRole('button', { name: /^(?:Accept|Ignore|Apply)/ })
        .count(),
    ).toBe(0);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
  });
});
