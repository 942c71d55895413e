import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  caretSettled,
  describeInBrowser,
  editorReady,
  isSecondTry,
  useDashboard,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

interface SentProposal {
  id: string;
  suggestions: { id: string; status: string }[];
  fieldChanges: { id: string; field: string; status: string }[];
}

describeInBrowser('proposals in the dashboard', () => {
  const dashboard = useDashboard();
  let ada: Visitor;
  let viewer: Visitor;
  let botKey: string;

  beforeAll(async () => {
    await meet();
  });
  beforeEach(async () => {
    if (isSecondTry()) await meet();
  });

  /** Signs up both, makes Vera a viewer of Ada's account, and creates a key that may only propose. */
  const meet = async () => {
    ada = await dashboard.visitor('Ada Lovelace', 'enterprise');
    viewer = await dashboard.visitor('Vera', 'enterprise');
    const { link } = (await send(ada, 'POST', `/accounts/${ada.accountId}/invitations`, {
      email: viewer.email,
      role: 'viewer',
    })) as { link: string };
    await send(viewer, 'POST', '/links/use', { token: link.split('#')[1] });
    const body = { name: 'Support bot', scopes: ['documents:read', 'documents:suggest'] };
    ({ key: botKey } = (await call('POST', '/keys', body)) as { key: string });
    dashboard.keepPages();
  };
  const send = async (by: Visitor, method: string, path: string, data?: unknown) => {
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const url = `${dashboard.app.origin}/dashboard/api${path}`;
    const response = await by.context.request.fetch(url, { method, headers, data });
    if (!response.ok()) throw new Error(await response.text());
    return ((await response.json()) as { data: unknown }).data;
  };
  const call = (method: string, path: string, data?: unknown, by = ada): Promise<unknown> =>
    send(by, method, `/accounts/${ada.accountId}/v1${path}`, data);
  const create = async (content: string, more: object = {}) =>
    ((await call('POST', '/documents', { title: 'Report', content, ...more })) as { id: string })
      .id;
  const read = async (id: string) =>
    (await call('GET', `/documents/${id}`)) as {
      title: string;
      content: string;
      version: number;
      metadata: Record<string, unknown>;
    };
  const proposalOf = async (document: string, id: string) =>
    (await call('GET', `/documents/${document}/enhancements/${id}`)) as SentProposal;
  const statusesOf = async (document: string, id: string) => {
    const { suggestions, fieldChanges } = await proposalOf(document, id);
    return [...suggestions, ...fieldChanges].map(({ status }) => status);
  };
  /** Proposes as the bot. */
  const propose = async (document: string, body: object): Promise<SentProposal> => {
    const response = await fetch(`${dashboard.app.origin}/v1/documents/${document}/proposals`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${botKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { data: SentProposal }).data;
  };
  const open = async ({ page }: Visitor, path: string) => {
    await page.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/${path}`);
    if (path.startsWith('documents/')) await content(page).waitFor();
  };
  const content = (page: Page) => page.getByRole('textbox', { name: 'Content', exact: true });
  const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Check' });
  const sections = (page: Page) => panel(page).getByRole('group', { name: /^Proposal from / });
  const cards = (page: Page) =>
    panel(page).getByRole('list', { name: 'Notes on the text' }).getByRole('listitem');
  const proposed = (page: Page) => cards(page).filter({ hasText: 'Support bot' });
  const state = (page: Page, words: string) =>
    page.getByRole('status', { name: 'Saving' }).getByText(words, { exact: true });
  const typeAtEnd = async (page: Page, text: string) => {
    await content(page).click();
    await caretSettled(page);
    await page.keyboard.press('Control+End');
    await page.keyboard.type(text);
  };
  const isSettled = (statuses: readonly string[], expected: string) =>
    statuses.every((status) => status === expected);

  it('proposals in the dashboard appear in the inbox by themselves, with sender, message and number, and lead to the change in the text', async () => {
    const { page } = ada;
    await open(ada, 'proposals');
    await page.getByText('No open proposals.').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const id = await create('Revenue grew by 12 %. Costs fell.');
    const other = await create('Another text.', { title: 'Other' });
    await propose(id, {
      edits: [
        { quote: '12 %', replacement: '13 %' },
        { quote: 'fell', replacement: 'rose' },
      ],
      message: 'Figures of July',
    });
    await propose(other, { content: 'Another word.' });
    const table = page.getByRole('table', { name: 'Proposals' });
    const row = table.getByRole('row').filter({ hasText: 'Figures of July' });
    await row.waitFor();
    await row.getByText('Support bot').waitFor();
    await row.getByText('2 open').waitFor();
    const link = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Proposals 2 open' });
    await link.waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(375);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Document' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Other' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Document: Other, remove' }).click();
    await row.getByRole('link', { name: 'Report' }).click();
    await sections(page).getByText('Figures of July').waitFor();
    await waitForCount(proposed(page), 2);
    // The first change is selected in the text.
    await eventually(
      () => page.evaluate<string>('getSelection().toString()'),
      (selected) => selected === '12 %',
    );
    await sections(page).getByRole('button', { name: 'Reject all' }).click();
    await sections(page).waitFor({ state: 'detached' });
    await open(ada, 'proposals?status=decided');
    await row.getByText('2 rejected').waitFor();
    await row.getByRole('link', { name: 'Report' }).click();
    await sections(page).getByText('Decided: 2 rejected').waitFor();
  });

  it('proposals in the dashboard are accepted and rejected one by one while somebody types and others change the text', async () => {
    const { page } = ada;
    await page.setViewportSize({ width: 1440, height: 900 });
    const lines = Array.from({ length: 8 }, (_, n) => `Line ${String(n)} has old words.`);
    const id = await create(lines.join('\n\n'));
    const edit = (n: number, replacement: string) => {
      const start = lines.join('\n\n').indexOf('old', lines.slice(0, n).join('\n\n').length);
      return { start, end: start + 3, replacement };
    };
    const first = await propose(id, { edits: [edit(0, 'new'), edit(1, 'fresh')], message: 'One' });
    const second = await propose(id, { edits: [edit(2, 'shiny')], message: 'Two' });
    const third = await propose(id, { edits: [edit(3, 'odd'), edit(4, 'nice')], message: 'Three' });
    await open(ada, `documents/${id}?panel=check`);
    await editorReady(page);
    await waitForCount(sections(page), 3);
    await waitForCount(proposed(page), 5);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await typeAtEnd(page, ' Typed');
    // Somebody else changes a passage of the third proposal, and adds a line above all.
    const changed = lines.with(3, 'Line 3 has other words.');
    await call('PATCH', `/documents/${id}`, { content: ['Top.', ...changed].join('\n\n') }, ada);
    await content(page).getByText('Line 3 has other words.').waitFor();
    await waitForCount(proposed(page), 4);
    await sections(page).getByText('1 outdated change').waitFor();
    await page.keyboard.type(' more');
    // Accepting with the keyboard leads to the next card, and letters go back to the text.
    const accept = page.getByRole('button', { name: 'Accept new' });
    await accept.focus();
    await page.keyboard.press('Enter');
    await content(page).getByText('Line 0 has new words.').waitFor();
    await proposed(page).first().and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await proposed(page).nth(1).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Reject shiny' }).focus();
    await page.keyboard.press('Enter');
    await waitForCount(sections(page), 2);
    await page.locator('[data-card]:focus').waitFor();
    await page.keyboard.type('!');
    await content(page).getByText('Typed more!').waitFor();
    await page.getByRole('button', { name: 'Accept nice' }).click();
    await page.keyboard.press('Control+s');
    await state(page, 'Saved').waitFor();
    await eventually(
      async () => (await read(id)).content,
      (text) =>
        text ===
        [
          'Top.',
          'Line 0 has new words.',
          'Line 1 has old words.',
          'Line 2 has old words.',
          'Line 3 has other words.',
          'Line 4 has nice words.',
          ...lines.slice(5),
        ].join('\n\n') +
          ' Typed more!',
    );
    await eventually(
      async () => [
        ...(await statusesOf(id, first.id)),
        ...(await statusesOf(id, second.id)),
        ...(await statusesOf(id, third.id)),
      ],
      (statuses) => statuses.join(' ') === 'accepted open rejected open accepted',
    );
    // What is left is there after a reload, too.
    await page.reload();
    await waitForCount(proposed(page), 1);
    await waitForCount(sections(page), 2);
    await sections(page).getByText('1 outdated change').click();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
  });

  it('proposals in the dashboard are accepted as a whole, and Ctrl+Z brings their changes of the text back', async () => {
    const { page } = ada;
    const id = await create('It was red. It was big. The end.');
    const edits = [
      { quote: 'red', replacement: 'green' },
      { quote: 'big', replacement: 'small' },
      { start: 32, end: 32, replacement: '\n\nAdded line.' },
    ];
    const one = await propose(id, { edits });
    await open(ada, `documents/${id}?panel=check`);
    await editorReady(page);
    await waitForCount(proposed(page), 3);
    await sections(page).getByRole('button', { name: 'Accept all' }).click();
    await content(page).getByText('It was green. It was small. The end.').waitFor();
    await content(page).getByText('Added line.').waitFor();
    await waitForCount(sections(page), 0);
    await content(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+z');
    await content(page).getByText('It was red. It was big. The end.').waitFor();
    await waitForCount(proposed(page), 3);
    await sections(page).getByRole('button', { name: 'Accept all' }).click();
    await page.keyboard.press('Control+s');
    await eventually(
      () => statusesOf(id, one.id),
      (statuses) => isSettled(statuses, 'accepted'),
    );
    expect((await read(id)).content).toBe('It was green. It was small. The end.\n\nAdded line.');
  });

  it('proposals in the dashboard change title and metadata, merge with unsaved typing, and are refused if the field has changed', async () => {
    const { page } = ada;
    const id = await create('Some text here.', { metadata: { region: 'eu', size: 3 } });
    const one = await propose(id, {
      title: 'Report, final',
      metadata: { region: 'us', size: null },
      edits: [{ quote: 'Some', replacement: 'More' }],
      message: 'For the final report',
    });
    await open(ada, `documents/${id}?panel=check`);
    await editorReady(page);
    await typeAtEnd(page, ' Typed.');
    const fields = page.getByRole('list', { name: 'Fields that Support bot proposes to change' });
    await waitForCount(fields.getByRole('listitem'), 3);
    expect(await fields.getByRole('listitem').first().innerText()).toMatch(/Title/);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await fields.getByRole('button', { name: 'Accept Report, final' }).focus();
    await page.keyboard.press('Enter');
    await waitForCount(fields.getByRole('listitem'), 2);
    expect(await title(page).inputValue()).toBe('Report, final');
    // The focus is at the next field.
    await fields.getByRole('listitem').and(page.locator(':focus')).waitFor();
    expect(await read(id)).toMatchObject({
      title: 'Report, final',
      content: 'Some text here. Typed.',
    });
    await call('PATCH', `/documents/${id}`, { metadata: { region: 'asia' } });
    await fields.getByRole('button', { name: 'Accept us' }).click();
    await page.getByText('Not accepted: the field has another value by now.').waitFor();
    await sections(page).getByText('1 outdated change').waitFor();
    await fields.getByRole('button', { name: 'Reject deletion of 3' }).focus();
    await page.keyboard.press('Enter');
    // No field is left, so the focus goes on to the text's cards.
    await proposed(page).and(page.locator(':focus')).waitFor();
    expect(await statusesOf(id, one.id)).toEqual(['open', 'accepted', 'stale', 'rejected']);
    await page.setViewportSize({ width: 375, height: 800 });
    await panel(page).getByRole('button', { name: 'Accept More' }).waitFor();
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(375);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('proposals in the dashboard are written by viewers, survive a reload, and can be withdrawn', async () => {
    const { page } = viewer;
    const id = await create('The quick fox. The lazy dog.', { metadata: { region: 'eu' } });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(viewer, `documents/${id}`);
    await page.getByText('Read only').waitFor();
    await page.getByRole('button', { name: 'Suggest changes' }).click();
    const bar = page.getByRole('region', { name: 'Your suggestion' });
    await bar.getByText('You are suggesting changes.').waitFor();
    await content(page).and(page.locator(':focus')).waitFor();
    await editorReady(page);
    const sendButton = bar.getByRole('button', { name: 'Send proposal' });
    expect(await sendButton.isDisabled()).toBe(true);
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' It sleeps.');
    await title(page).fill('Report on animals');
    await bar.getByRole('textbox', { name: 'Message' }).fill('More about the dog');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    // The draft is stored between keystrokes.
    await eventually(() =>
      page.evaluate<boolean>(`new Promise((resolve) => {
        const opening = indexedDB.open('keyval-store');
        opening.onsuccess = () => {
          const all = opening.result.transaction('keyval').objectStore('keyval').getAll();
          all.onsuccess = () => resolve(all.result.some(({ suggesting }) => suggesting?.message === 'More about the dog'));
        };
      })`),
    );
    await page.reload();
    await bar.waitFor();
    await content(page).getByText('It sleeps.').waitFor();
    expect(await bar.getByRole('textbox', { name: 'Message' }).inputValue()).toBe(
      'More about the dog',
    );
    expect(await read(id)).toMatchObject({ version: 1, title: 'Report' });
    // Changes of others are merged into the suggestion.
    await call('PATCH', `/documents/${id}`, { content: 'The slow fox. The lazy dog.' });
    await content(page).getByText('The slow fox. The lazy dog. It sleeps.').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('textbox', { name: 'Value of region' }).fill('us');
    await page.setViewportSize({ width: 375, height: 800 });
    await page.getByRole('button', { name: 'Close Details' }).click();
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(375);
    await page.setViewportSize({ width: 1440, height: 900 });
    await sendButton.click();
    await page.getByText('Proposal sent.').waitFor();
    await bar.waitFor({ state: 'detached' });
    await page.getByText('Read only').waitFor();
    expect(await title(page).inputValue()).toBe('Report');
    const section = sections(page).filter({ hasText: 'More about the dog' });
    await section.waitFor();
    expect(await section.getByRole('button', { name: /^(?:Accept|Reject)/ }).count()).toBe(0);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const [sent] = (await call('GET', `/proposals?documentId=${id}`)) as { id: string }[];
    expect(await proposalOf(id, sent?.id ?? '')).toMatchObject({
      baseVersion: 2,
      suggestions: [{ original: '', replacements: [{ value: ' It sleeps.' }] }],
      fieldChanges: [
        { field: 'title', to: 'Report on animals' },
        { field: 'metadata.region', from: 'eu', to: 'us' },
      ],
    });
    // The same once more: the reason why nothing is left is said in words.
    await page.getByRole('button', { name: 'Suggest changes' }).click();
    await title(page).fill('Report on animals');
    await sendButton.click();
    await bar.getByText('Nothing to send: 1 change is already in an open proposal.').waitFor();
    await bar.getByRole('button', { name: 'Discard' }).click();
    await page
      .getByRole('dialog', { name: 'Discard suggestion' })
      .getByRole('button', { name: 'Discard suggestion' })
      .click();
    await bar.waitFor({ state: 'detached' });
    expect(await title(page).inputValue()).toBe('Report');
    await section.getByRole('button', { name: 'Withdraw' }).click();
    await section.waitFor({ state: 'detached' });
    await eventually(
      () => statusesOf(id, sent?.id ?? ''),
      (statuses) => isSettled(statuses, 'stale'),
    );
    expect((await read(id)).version).toBe(2);
  });

  it('proposals in the dashboard are written by people who may edit, without touching the document', async () => {
    const { page } = ada;
    await page.setViewportSize({ width: 1440, height: 900 });
    const id = await create('A plain text.');
    await open(ada, `documents/${id}`);
    await editorReady(page);
    await typeAtEnd(page, ' Mine.');
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    await page.getByRole('menuitem', { name: 'Suggest changes' }).click();
    const bar = page.getByRole('region', { name: 'Your suggestion' });
    await bar.waitFor();
    // What was typed before is saved.
    await eventually(
      async () => (await read(id)).content,
      (text) => text === 'A plain text. Mine.',
    );
    await typeAtEnd(page, ' Suggested.');
    await page.keyboard.press('Control+s');
    await page.reload();
    await bar.waitFor();
    await content(page).getByText('A plain text. Mine. Suggested.').waitFor();
    await bar.getByRole('button', { name: 'Send proposal' }).click();
    await page.getByText('Proposal sent.').waitFor();
    await content(page).getByText('A plain text. Mine.', { exact: true }).waitFor();
    expect((await read(id)).content).toBe('A plain text. Mine.');
    await cards(page)
      .getByRole('button', { name: /^Accept/ })
      .click();
    await content(page).getByText('A plain text. Mine. Suggested.').waitFor();
    await typeAtEnd(page, ' Later.');
    await page.keyboard.press('Control+s');
    await eventually(
      async () => (await read(id)).content,
      (text) => text === 'A plain text. Mine. Suggested. Later.',
    );
  });
});
