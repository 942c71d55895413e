import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  ANALYZED_WITHIN_MS,
  caretSettled,
  checkerReady,
  describeInBrowser,
  editorReady,
  isSecondTry,
  useDashboard,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

/** Words that each person writes into one paragraph. */
const WORDS_EACH = 25;

describeInBrowser('people working on one document', () => {
  const dashboard = useDashboard();
  let ada: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    await meet();
  });
  beforeEach(async () => {
    if (isSecondTry()) await meet();
  });

  /** Signs up both, and makes Bob a member of Ada's account. */
  const meet = async () => {
    ada = await dashboard.visitor('Ada Lovelace', 'enterprise');
    bob = await dashboard.visitor('Bob', 'enterprise');
    const { link } = (await send(ada, 'POST', `/accounts/${ada.accountId}/invitations`, {
      email: bob.email,
      role: 'member',
    })) as { link: string };
    await send(bob, 'POST', '/links/use', { token: link.split('#')[1] });
    dashboard.keepPages();
  };
  const send = async (by: Visitor, method: string, path: string, data?: unknown) => {
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const url = `${dashboard.app.origin}/dashboard/api${path}`;
    const response = await by.context.request.fetch(url, { method, headers, data });
    if (!response.ok()) throw new Error(await response.text());
    return ((await response.json()) as { data: unknown }).data;
  };
  const call = (method: string, path: string, data?: unknown, by = ada): Promise<any> =>
    send(by, method, `/accounts/${ada.accountId}/v1${path}`, data);
  const create = async (content: string) =>
    ((await call('POST', '/documents', { title: 'Shared', content })) as { id: string }).id;
  const contentOf = async (id: string) =>
    ((await call('GET', `/documents/${id}`)) as { content: string }).content;
  const open = async ({ page }: Visitor, path: string) => {
    await page.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${path}`);
    await editorReady(page);
  };
  const content = (page: Page) => page.getByRole('textbox', { name: 'Content', exact: true });
  const state = (page: Page, words: string) =>
    page.getByRole('status', { name: 'Saving' }).getByText(words, { exact: true });
  const typeAfter = async (page: Page, line: string, text: string) => {
    await content(page).getByText(line).click();
    await caretSettled(page);
    await page.keyboard.press('End');
    await page.keyboard.type(text);
  };

  it('people working on one document see each other with a ring for who types, and no longer when one leaves', async () => {
    const id = await create('One line.');
    await open(ada, id);
    await open(bob, id);
    const here = (page: Page) => page.getByRole('list', { name: 'Also here' });
    await here(ada.page).getByText('Bob, viewing').waitFor();
    await here(bob.page).getByText('Ada Lovelace, viewing').waitFor();
    await typeAfter(bob.page, 'One line.', ' More.');
    await here(ada.page).getByText('Bob, editing').waitFor();
    expect(await accessibilityFindingsInBothSchemes(ada.page)).toEqual([]);
    await bob.page.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/keys`);
    await here(ada.page).waitFor({ state: 'detached' });
    expect(await contentOf(id)).toBe('One line. More.');
  });

  it('people working on one document get changes into the open text without moving the caret or what is on the screen', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `Paragraph number ${String(index)}.`);
    const text = lines.join('\n\n').replace('number 112.', 'number 112 shall postpone the rest.');
    const id = await create(text);
    await open(ada, id);
    const { page } = ada;
    await content(page).focus();
    await page.keyboard.press('Control+End');
    await content(page).getByText('postpone').click();
    await caretSettled(page);
    await page.keyboard.press('Home');
    for (let steps = 0; steps < 'Paragraph number 112 shall post'.length; steps += 1) {
      await page.keyboard.press('ArrowRight');
    }
    const placeOf = async (words: string) =>
      (await content(page).getByText(words).boundingBox())?.y ?? NaN;
    const before = await placeOf('postpone');
    const changed = text
      .replace('Paragraph number 3.', 'Paragraph number 3.\n\nNew.\n\nNew.\n\nNew.')
      .replace('Paragraph number 112 shall', 'The paragraph number 112 must')
      .replace('the rest.', 'everything.');
    await call('PATCH', `/documents/${id}`, { content: changed }, bob);
    await page.locator('.tinted', { hasText: 'must' }).waitFor();
    await page.getByRole('status').getByText('Bob changed 4 passages.').waitFor();
    expect(Math.abs((await placeOf('postpone')) - before)).toBeLessThan(3);
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await state(page, 'Saved').waitFor();
    expect(await contentOf(id)).toBe(changed.replace('postpone', 'post!pone'));
    await page.locator('.tinted').first().waitFor({ state: 'detached' });
    // What others wrote is not undone.
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await state(page, 'Saved').waitFor();
    expect(await contentOf(id)).toBe(changed);
  });

  it('people working on one document write one paragraph at once: nothing is lost, both have the same text, and no dialog opens', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${String(index)}`);
    const id = await create(words.join(' '));
    await open(ada, id);
    await open(bob, id);
    const write = async ({ page }: Visitor, name: string, offset: number) => {
      await content(page).click();
      for (let count = 0; count < WORDS_EACH; count += 1) {
        // Each has words of their own, all over the paragraph.
        await page.keyboard.press('Control+Home');
        const steps = (offset + count * 14) % 58;
        for (let step = 0; step <= steps; step += 1)
          await page.keyboard.press('Control+ArrowRight');
        await page.keyboard.type(` ${name}${String(count)}`);
        if (count % 5 === 4) await page.keyboard.press('Control+s');
      }
      await page.keyboard.press('Control+s');
    };
    await Promise.all([write(ada, 'ada', 0), write(bob, 'bob', 7)]);
    for (const { page } of [ada, bob, ada, bob]) {
      await eventually(async () => {
        const both = page.getByRole('button', { name: 'Keep both' });
        if ((await both.count()) > 0) await both.first().click();
        await page.keyboard.press('Control+s');
        return (await both.count()) === 0 && (await state(page, 'Saved').isVisible());
      });
    }
    const shown = (page: Page) => content(page).innerText();
    await eventually(
      async () => [await shown(ada.page), await shown(bob.page), await contentOf(id)],
      ([one, other, stored]) => one === other && one === stored,
    );
    const stored = await contentOf(id);
    const written = ['ada', 'bob'].flatMap((name) =>
      Array.from({ length: WORDS_EACH }, (_, count) => `${name}${String(count)}`),
    );
    expect(written.filter((word) => !new RegExp(`${word}(?!\\d)`).test(stored))).toEqual([]);
    expect(await ada.page.getByRole('dialog').count()).toBe(0);
  }, 240_000);

  it('people working on one document learn at once that somebody deleted the document, and that somebody restored it', async () => {
    const id = await create('Here and gone.');
    await open(ada, id);
    await call('DELETE', `/documents/${id}`, undefined, bob);
    const notice = ada.page.getByRole('alert').filter({ hasText: 'moved to the trash' });
    await notice.waitFor();
    await call('POST', `/documents/${id}/restore`, undefined, bob);
    await notice.waitFor({ state: 'detached' });
    await typeAfter(ada.page, 'Here and gone.', ' Back.');
    await ada.page.keyboard.press('Control+s');
    await eventually(
      () => contentOf(id),
      (stored) => stored === 'Here and gone. Back.',
    );
  });

  it('people working on one document decide conflicts with the keyboard, and many at once in History', async () => {
    const lines = Array.from({ length: 14 }, (_, index) => `line ${String(index)} ends`);
    const id = await create(lines.join('\n\n'));
    await open(ada, id);
    const { page } = ada;
    const conflict = async (from: number, to: number) => {
      const mine = lines.map((line, index) =>
        index >= from && index < to ? line.replace('ends', 'is mine') : line,
      );
      await call(
        'PATCH',
        `/documents/${id}`,
        { content: lines.join('\n\n').replaceAll('ends', 'is theirs') },
        bob,
      );
      return mine.join('\n\n');
    };
    await ada.context.setOffline(true);
    await content(page).fill(await conflict(0, 2));
    await ada.context.setOffline(false);
    await page.keyboard.press('Control+s');
    await state(page, 'Saved, except 2 passages').waitFor();
    const cards = page.getByRole('list', { name: 'Notes on the text' }).getByRole('listitem');
    await waitForCount(cards, 2);
    // One stop of the Tab key leads to the cards, arrows go from card to card.
    await page.keyboard.press('F7');
    await page.keyboard.press('Escape');
    await cards.first().focus();
    await page.keyboard.press('ArrowDown');
    await cards.nth(1).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForCount(cards, 1);
    await cards.getByRole('button', { name: "Use Bob's" }).click();
    await waitForCount(cards, 0);
    await page.keyboard.press('Control+s');
    await state(page, 'Saved').waitFor();
    expect(await contentOf(id)).toContain('line 0 is theirs');
    expect(await contentOf(id)).toContain('line 1 is mine');

    await call('PATCH', `/documents/${id}`, { content: lines.join('\n\n') }, bob);
    await content(page).getByText('line 1 ends').waitFor();
    await ada.context.setOffline(true);
    await content(page).fill(await conflict(0, 14));
    await ada.context.setOffline(false);
    await page.keyboard.press('Control+s');
    await page.getByText('Bob also changed 14 passages').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Compare in History' }).click();
    await page.getByRole('button', { name: /^Show Your text/ }).click();
    await page.getByText('line 13 is mine').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await eventually(
      () => contentOf(id),
      (stored) => !stored.includes('theirs') && stored.includes('line 13 is mine'),
    );
  });

  it('people working on one document accept many suggestions while typing: all are applied and recorded', async () => {
    const mistakes = Array.from({ length: 20 }, (_, index) => `Point ${String(index)} is teh one.`);
    await checkerReady(dashboard, ada);
    const id = await create(mistakes.join('\n\n'));
    await call('POST', `/documents/${id}/enhance`, {});
    await open(ada, `${id}?panel=check`);
    const { page } = ada;
    const accept = page.getByRole('button', { name: 'Accept the for teh' });
    await accept.first().waitFor({ timeout: ANALYZED_WITHIN_MS });
    // Accepting an issue of the check, which may arrive first, would not be recorded.
    await waitForCount(page.locator('[data-kind=suggestion]'), 20);
    await waitForCount(accept, 20);
    for (let left = 20; left > 0; left -= 1) {
      await accept.first().click();
      await content(page).focus();
      await page.keyboard.press('Control+End');
      const isChecked =
        left === 20 && page.waitForResponse((response) => response.url().endsWith('/v1/analyze'));
      await page.keyboard.type('+');
      // The check finds the mistake beside the new letter again, with another ID. It is shown once.
      await isChecked;
      await waitForCount(accept, left - 1);
    }
    await page.keyboard.press('Control+s');
    await eventually(
      () => contentOf(id),
      (stored) => stored === `${mistakes.join('\n\n').replaceAll('teh', 'the')}${'+'.repeat(20)}`,
    );
    await eventually(
      async () => {
        const [set] = (await call('GET', `/documents/${id}/enhancements`)) as {
          suggestionCounts: { accepted: number };
        }[];
        return set?.suggestionCounts.accepted;
      },
      (accepted) => accepted === 20,
    );
  });

  it('people working on one document accept with the keyboard from card to card, and in a sheet on a phone', async () => {
    const id = await create('One is teh first.\n\nTwo is recieved.\n\nThree is untill later.');
    await call('POST', `/documents/${id}/enhance`, {});
    await open(ada, `${id}?panel=check`);
    const { page } = ada;
    const cards = page.getByRole('list', { name: 'Notes on the text' }).getByRole('listitem');
    await waitForCount(cards, 3);
    await cards.first().focus();
    await page.keyboard.press('ArrowDown');
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await content(page).getByText('Two is received.').waitFor();
    await waitForCount(cards, 2);
    await cards.nth(1).and(page.locator(':focus')).waitFor();
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await content(page).getByText('Three is until later.').waitFor();
    await page.keyboard.press('Control+s');

    await page.setViewportSize({ width: 390, height: 800 });
    const sheet = page.getByRole('complementary', { name: 'Check' });
    await sheet.getByRole('button', { name: 'Close Check' }).click();
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    await page.getByRole('menuitem', { name: 'Check' }).click();
    await sheet.waitFor();
    await page.locator('aside:focus, aside :focus').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});
