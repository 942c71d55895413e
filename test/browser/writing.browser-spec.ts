import type { Page, Request, Route } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  ANALYZED_WITHIN_MS,
  checkerReady,
  describeInBrowser,
  editorReady,
  openInApp,
  useDashboard,
  timePassesUntil,
  type Visitor,
} from './support/dashboard.js';

interface StoredDocument {
  id: string;
  title: string;
  content: string;
  version: number;
  type: string;
  metadata: Record<string, unknown>;
  aiSettings: Record<string, unknown>;
}

/** Requests that wait until the test releases them. */
interface Held {
  requests: Request[];
  /** Waits until a request arrives. */
  arrived: (count?: number) => Promise<unknown>;
  /** Lets all past and future requests through. */
  release: () => void;
}

describeInBrowser('writing a document in the dashboard', () => {
  const dashboard = useDashboard();
  let ada: Visitor;
  let page: Page;

  beforeEach(async () => {
    ada = await dashboard.visitor();
    await ada.context.clock.install();
    page = ada.page;
  });

  /** What is typed rests for seconds before it is saved; test/dashboard-ui/autosave.spec.ts is about how long. */
  const soon = <Value>(look: () => Value | Promise<Value>, isSo?: (value: Value) => boolean) =>
    timePassesUntil(ada.context, look, isSo);
  const call = async (method: string, path: string, data?: unknown): Promise<any> => {
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1${path}`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const reply = await ada.context.request.fetch(url, { method, headers, data });
    return ((await reply.json()) as { data: unknown }).data;
  };
  const create = async (fields: object): Promise<string> =>
    ((await call('POST', '/documents', fields)) as StoredDocument).id;
  const read = (id: string) => call('GET', `/documents/${id}`) as Promise<StoredDocument>;
  const all = () => call('GET', '/documents?include=content') as Promise<StoredDocument[]>;
  /** Waits until the document is stored like this. */
  const stored = (id: string, expected: Partial<StoredDocument>) =>
    soon(
      () => read(id),
      (found) =>
        Object.entries(expected).every(
          ([name, value]) =>
            JSON.stringify(found[name as keyof StoredDocument]) === JSON.stringify(value),
        ),
    );
  const open = async (path: string, where = page) => {
    await where.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/${path}`);
    await editorReady(where);
  };
  const content = (where = page) => where.getByLabel('Content');
  const state = (words: string | RegExp) =>
    page.getByRole('status', { name: 'Saving' }).getByText(words, { exact: true });
  /** Waits until the page says that it has come to this. */
  const reaches = (words: 'Saved' | 'Offline. Kept in this browser.') =>
    soon(() => state(words).isVisible());
  const createdId = async (where = page) => {
    const url = await soon(
      () => where.url(),
      (address) => /documents\/doc_/.test(address),
    );
    return /doc_\w+/.exec(url)?.[0] ?? '';
  };
  /** Typing shows that the caret is in the text. */
  const hasFocus = (where = page) =>
    where.evaluate(`document.activeElement?.getAttribute('aria-label') === 'Content'`);
  /** Holds requests of a method to paths that match. */
  const hold = async (method: string, path: RegExp): Promise<Held> => {
    const held: Held = { requests: [], arrived: () => Promise.resolve(), release: () => undefined };
    const released = new Promise<void>((resolve) => {
      held.release = resolve;
    });
    held.arrived = (count = 1) =>
      soon(
        () => Promise.resolve(held.requests.length),
        (found) => found >= count,
      );
    await ada.context.route(path, async (route) => {
      if (route.request().method() !== method) return route.fallback();
      held.requests.push(route.request());
      await released;
      return route.continue();
    });
    return held;
  };
  const CREATE = /\/v1\/documents$/;
  const PATCH = /\/v1\/documents\/doc_\w+$/;
  const only = (method: string, act: (route: Route) => Promise<void>) => (route: Route) =>
    route.request().method() === method ? act(route) : route.fallback();

  it('typing continues during the creation on a slow line: no letter, focus, caret, undo step or panel is lost', async () => {
    await ada.open('documents');
    const slow = await hold('POST', CREATE);
    await page.getByRole('button', { name: 'New document' }).click();
    await page.getByLabel('Title').fill('Plan');
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByLabel('Tags').fill('fin');
    await content().click();
    await page.keyboard.type('before after');
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowLeft');
    await slow.arrived();
    expect(page.url()).toContain('/documents/new');
    const typed = 'and on and on and on, without a break, while the document is being created';
    const typing = page.keyboard.type(typed, { delay: 25 });
    await content().getByText('and on and on').waitFor();
    slow.release();
    const id = await createdId();
    await typing;
    expect(await hasFocus()).toBe(true);
    await page.keyboard.type('!');
    const text = `before${typed}! after`;
    await stored(id, { title: 'Plan', content: text, metadata: { tags: ['fin'] } });
    await reaches('Saved');
    await page.getByRole('complementary', { name: 'Details' }).waitFor();
    await page.getByRole('button', { name: 'Remove fin' }).waitFor();
    await page.keyboard.press('Control+z');
    await eventually(
      () => content().innerText(),
      (shown) => shown !== text,
    );
    for (let step = 0; step < 60; step += 1) await page.keyboard.press('Control+z');
    await eventually(
      () => content().innerText(),
      (shown) => !shown.includes('before'),
    );
    await page.keyboard.press('Control+Shift+z');
    expect(await all()).toHaveLength(1);
    // Opening the panel added a history entry, and no entry leads to an empty page.
    await page.goBack();
    await page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' });
    await page.waitForURL(new RegExp(`${id}$`));
    await page.goBack();
    await page.waitForURL(/documents$/);
  });

  it('a lost response and refused attempts lead to one document with all that was typed', async () => {
    let attempts = 0;
    const keys: (string | undefined)[] = [];
    await ada.context.route(
      CREATE,
      only('POST', async (route) => {
        attempts += 1;
        keys.push(route.request().headers()['idempotency-key']);
        if (attempts === 1) return route.abort();
        if (attempts > 2) return route.continue();
        await route.fetch();
        return route.abort();
      }),
    );
    await open('documents/new');
    await content().click();
    await page.keyboard.type('first');
    await reaches('Offline. Kept in this browser.');
    await page.keyboard.type(' second');
    const id = await createdId();
    await page.keyboard.type(' third');
    await stored(id, { title: 'first second third', content: 'first second third' });
    expect(await all()).toHaveLength(1);
    expect(new Set(keys).size).toBe(1);
    expect(attempts).toBe(3);
  });

  it('a document whose creation was interrupted by a reload is created once, with its draft', async () => {
    await ada.context.route(
      CREATE,
      only('POST', async (route) => {
        await route.fetch();
        return route.abort();
      }),
    );
    await open('documents/new');
    await content().click();
    await page.keyboard.type('written once');
    await reaches('Offline. Kept in this browser.');
    await page.keyboard.type(' and once more');
    await ada.context.unroute(CREATE);
    await page.reload();
    const id = await createdId();
    await stored(id, { content: 'written once and once more' });
    expect(await all()).toHaveLength(1);
  });

  it('another document can be opened while one is created, and Back returns to the created one', async () => {
    const other = await create({ title: 'Other', content: 'other text' });
    await ada.open('documents');
    await page.getByRole('link', { name: 'Other' }).waitFor();
    const slow = await hold('POST', CREATE);
    await page.getByRole('button', { name: 'New document' }).click();
    await content().click();
    await page.keyboard.type('begun');
    await slow.arrived();
    await page.keyboard.type(' and left');
    await page.keyboard.press('Control+Shift+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(other);
    await page.getByRole('option', { name: other, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await content().getByText('other text').waitFor();
    slow.release();
    await soon(all, (found) => found.length === 2);
    await page.goBack();
    await content().getByText('begun and left').waitFor();
    const id = await createdId();
    expect(id).not.toBe(other);
    await stored(id, { content: 'begun and left' });
    expect((await read(other)).content).toBe('other text');
    await content().click();
    await page.keyboard.press('Control+z');
    await content().getByText('begun and left').waitFor({ state: 'detached' });
  });

  it('the command palette over a new document affects neither its text nor its caret, and adds no undo step', async () => {
    await ada.open('documents');
    await page.getByRole('button', { name: 'New document' }).click();
    await content().click();
    await page.keyboard.type('before');
    await page.keyboard.press('Control+Shift+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.waitFor();
    await createdId();
    expect(await content().innerText()).toBe('before');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await eventually(hasFocus, (found) => found === true);
    await page.keyboard.type(' and after');
    await stored(await createdId(), { content: 'before and after' });
    await page.goBack();
    await page.waitForURL(/documents$/);
  });

  it("two tabs write two new documents, and a reload restores each tab's own text", async () => {
    const blocked = await hold('POST', CREATE);
    await open('documents/new');
    await content().click();
    await page.keyboard.type('one');
    await blocked.arrived();
    const second = await ada.context.newPage();
    await open('documents/new', second);
    expect(await content(second).innerText()).not.toContain('one');
    await content(second).click();
    await second.keyboard.type('two');
    await blocked.arrived(2);
    await second.reload();
    await content(second).getByText('two').waitFor();
    blocked.release();
    const ids = [await createdId(), await createdId(second)];
    await stored(ids[0] ?? '', { content: 'one' });
    await stored(ids[1] ?? '', { content: 'two' });
    expect(await all()).toHaveLength(2);
  });

  it('a new document is named by its first line until a title is typed', async () => {
    await open('documents/new');
    await content().click();
    await page.keyboard.type('# Plan');
    const id = await createdId();
    await stored(id, { title: 'Plan', content: '# Plan' });
    const title = page.getByLabel('Title');
    await page.keyboard.type(' for *May*');
    expect(await title.inputValue()).toBe('Plan for May');
    await page.keyboard.press('Control+s');
    await stored(id, { title: 'Plan for May' });
    await title.fill('Named\nover two lines');
    expect(await title.inputValue()).toBe('Named over two lines');
    await title.fill('Named');
    await title.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await stored(id, { title: 'Named', content: '# Plan for *May*!' });
    await title.fill('');
    await page.keyboard.press('Control+s');
    await stored(id, { title: 'Untitled document' });
    await page.reload();
    await title.waitFor();
    expect(await title.inputValue()).toBe('');
    expect(await title.getAttribute('placeholder')).toBe('Untitled document');
    await reaches('Saved');
  });

  it('tags and metadata are saved after a second, on leaving a field and when the panel closes', async () => {
    const id = await create({ title: 'Tagged', metadata: { sizes: [1, 2] } });
    await open(`documents/${id}?panel=details`);
    const panel = page.getByRole('complementary', { name: 'Details' });
    await panel.getByLabel('Tags').pressSequentially('half');
    await stored(id, { metadata: { sizes: [1, 2], tags: ['half'] } });
    await panel.getByLabel('Tags').press('Enter');
    await panel.getByLabel('Tags').pressSequentially('typ');
    await panel.getByRole('button', { name: 'Close Details' }).click();
    await stored(id, { metadata: { sizes: [1, 2], tags: ['half', 'typ'] } });
    await page.getByRole('button', { name: 'Details' }).click();
    await panel.getByRole('button', { name: 'Add metadata' }).click();
    await panel.getByLabel('Key 2', { exact: true }).fill('region');
    await panel.getByLabel('Value of region').fill('eu');
    await panel.getByRole('button', { name: 'Close Details' }).click();
    const metadata = { sizes: [1, 2], tags: ['half', 'typ'], region: 'eu' };
    await soon(
      () => read(id),
      (found) =>
        JSON.stringify(Object.entries(found.metadata).sort()) ===
        JSON.stringify(Object.entries(metadata).sort()),
    );

    await page.getByRole('button', { name: 'Details' }).click();
    await panel.getByLabel('Value of sizes').fill('[1, 2');
    await panel.getByText('The value of “sizes” is not valid JSON').waitFor();
    await content().click();
    await page.keyboard.type('text is saved all the same');
    await page.keyboard.press('Control+s');
    await stored(id, { content: 'text is saved all the same' });
    await state(/^Not saved: /).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.reload();
    await panel.waitFor();
    expect(await panel.getByLabel('Value of sizes').inputValue()).toBe('[1, 2');
    await panel.getByLabel('Language').fill('German');
    await panel.getByLabel('Value of sizes').fill('[1, 2, 3]');
    await soon(
      () => read(id),
      (found) => JSON.stringify(found.metadata['sizes']) === '[1,2,3]',
    );
    await reaches('Saved');
    expect((await read(id)).aiSettings).toMatchObject({ language: 'German' });
  });

  it('suggestions are accepted while someone types in the same line and offline, undone, and recorded', async () => {
    const id = await create({ title: 'Mistakes', content: 'This sentense has teh mistakes.' });
    const counts = async () => {
      const [set] = (await call('GET', `/documents/${id}/enhancements`)) as {
        suggestionCounts: Record<string, number>;
      }[];
      return set?.suggestionCounts;
    };
    await checkerReady(dashboard, ada);
    await call('POST', `/documents/${id}/enhance`, {});
    await open(`documents/${id}?panel=check`);
    const accept = page.getByRole('button', { name: 'Accept sentence for sentense' });
    await accept.waitFor({ timeout: ANALYZED_WITHIN_MS });
    const slow = await hold('PATCH', PATCH);
    await content().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' More');
    await page.keyboard.press('Control+s');
    await slow.arrived();
    await accept.click();
    await content().getByText('This sentence has').waitFor();
    await content().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' text that is typed during it!');
    slow.release();
    await accept.waitFor({ state: 'detached' });
    const text = 'This sentence has teh mistakes. More text that is typed during it!';
    await page.keyboard.press('Control+s');
    await stored(id, { content: text });
    await soon(counts, (found) => found?.['accepted'] === 1 && found['open'] === 1);

    await ada.context.setOffline(true);
    const acceptThe = page.getByRole('button', { name: 'Accept the for teh' });
    await acceptThe.click();
    await acceptThe.waitFor({ state: 'detached' });
    await content().click();
    await page.keyboard.press('Control+z');
    await acceptThe.waitFor();
    await acceptThe.click();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await ada.context.setOffline(false);
    await reaches('Saved');
    await stored(id, { content: text.replace('teh', 'the') });
    await soon(counts, (found) => found?.['accepted'] === 2 && found['open'] === 0);
    expect(await page.getByText('Something went wrong').count()).toBe(0);
  });

  it('a document in the trash says so, is restored with its unsaved text, and has no other actions', async () => {
    const id = await create({ title: 'Lost', content: 'stored' });
    await open(`documents/${id}`);
    await hold('PATCH', PATCH);
    await content().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and not stored');
    await call('DELETE', `/documents/${id}`);
    await ada.context.unroute(PATCH);
    await page.reload();
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'This document was moved to the trash' });
    await notice.getByText(/Your unsaved text from \d\d:\d\d is here/).waitFor();
    await content().getByText('stored and not stored').waitFor();
    for (const name of ['Publish', 'Actions for this document', /^Status/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await notice.getByRole('button', { name: 'Copy text' }).click();
    await eventually(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (copied) => copied === 'stored and not stored',
    );
    await notice.getByRole('button', { name: 'Restore and save' }).click();
    await page.getByRole('button', { name: 'Publish' }).waitFor();
    await stored(id, { content: 'stored and not stored' });
    await reaches('Saved');

    // Deleted while it is open, with text that can no longer be saved.
    await call('DELETE', `/documents/${id}`);
    await page.keyboard.press('Control+End');
    await content().click();
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await notice.getByText('Your unsaved text is here').waitFor();
    // Somebody restores it elsewhere, and the page continues automatically.
    await call('POST', `/documents/${id}/restore`);
    await soon(() => notice.isHidden());
    await soon(
      () => read(id),
      (found) => found.content.includes('!'),
    );

    // Its text is saved as a new document, and the old one stays in the trash.
    await reaches('Saved');
    await hold('PATCH', PATCH);
    await page.keyboard.type('?');
    await call('DELETE', `/documents/${id}`);
    await ada.context.unroute(PATCH);
    await page.keyboard.press('Control+s');
    await notice.getByRole('button', { name: 'Save as new document' }).click();
    await page.waitForURL((url) => /doc_/.test(url.pathname) && !url.pathname.includes(id));
    const fresh = await createdId();
    await soon(
      () => read(fresh),
      (found) => found.content.includes('?'),
    );
    await page.evaluate(openInApp(`/dashboard/${ada.accountId}/documents/${id}`));
    await notice.getByText('Restore the document to continue writing').waitFor();
    await notice.getByRole('button', { name: 'Restore' }).click();
    await notice.waitFor({ state: 'detached' });

    // A clean page.
    await call('DELETE', `/documents/${id}`);
    let reads = 0;
    page.on('response', (response) => {
      if (response.url().endsWith(`/v1/documents/${id}`)) reads += 1;
    });
    await page.reload();
    await notice.getByText('Restore the document to continue writing').waitFor();
    await notice.getByRole('button', { name: 'Copy text' }).waitFor();
    // It stays: what is read out of the trash does not count as restored. The second reading is that of the stream.
    await soon(
      () => reads,
      (count) => count >= 2,
    );
    expect(await notice.count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
  });

  it('a permanently deleted document can be saved as a new one, and an unknown one is reported as unknown', async () => {
    const details = { type: 'report', metadata: { tags: ['kept'], region: 'eu' } };
    const id = await create({ title: 'Gone', content: 'stored', ...details });
    await open(`documents/${id}`);
    await content().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and more');
    await call('DELETE', `/documents/${id}?permanent=true`);
    await page.keyboard.press('Control+s');
    const notice = page.getByRole('alert').filter({ hasText: 'permanently deleted' });
    await notice.waitFor();
    expect(await notice.getByRole('button', { name: 'Restore' }).count()).toBe(0);
    await page.reload();
    await content().getByText('stored and more').waitFor();
    await notice.getByRole('button', { name: 'Save as new document' }).click();
    await page.waitForURL((url) => /doc_/.test(url.pathname) && !url.pathname.includes(id));
    const fresh = await createdId();
    await stored(fresh, { title: 'Gone', content: 'stored and more', type: 'report' });
    await eventually(
      () => read(fresh),
      ({ metadata }) => metadata['region'] === 'eu' && String(metadata['tags']) === 'kept',
    );
    await notice.waitFor({ state: 'detached' });

    for (const unknown of [id, 'garbage']) {
      await ada.open(`documents/${unknown}`);
      await page.getByRole('heading', { name: 'Document not found' }).waitFor();
    }
  });

  it('too many changes are explained with the time of the next attempt, which happens automatically', async () => {
    const id = await create({ title: 'Busy', content: '' });
    await open(`documents/${id}`);
    let refusals = 1;
    await ada.context.route(
      PATCH,
      only('PATCH', async (route) => {
        refusals -= 1;
        if (refusals < 0) return route.continue();
        return route.fulfill({
          status: 429,
          headers: { 'Retry-After': '3' },
          json: {
            success: false,
            error: {
              code: 'RATE_LIMIT_EXCEEDED',
              message: 'Too many changes.',
              details: { window: 'minute', limit: 60, retryAfter: 3 },
            },
            meta: { requestId: 'req_x', timestamp: new Date().toISOString() },
          },
        });
      }),
    );
    await content().click();
    await page.keyboard.type('typed');
    await page.keyboard.press('Control+s');
    await state(/^Too many changes this minute\. Saving again in \d s\.$/).waitFor();
    await page.keyboard.type(' on');
    await stored(id, { content: 'typed on' });
    await reaches('Saved');
  });
});
