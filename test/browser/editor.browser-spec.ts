import type { Locator, Page } from 'playwright-core';
import { drillCases } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  editorReady,
  isSecondTry,
  openInApp,
  useDashboard,
  type Visitor,
} from './support/dashboard.js';
import { readmes } from './support/readmes.js';

/** One README of so many is opened where not all are. */
const SAMPLE = 100;
/** READMEs that one person opens. */
const PER_PERSON = 100;

describeInBrowser('the editor of the dashboard', () => {
  const dashboard = useDashboard();
  let ada: Visitor;
  let page: Page;
  let content: Locator;
  let id: string;

  beforeAll(async () => {
    await signUp();
  });
  beforeEach(async () => {
    if (isSecondTry()) await signUp();
  });

  const signUp = async () => {
    // The tests make more changes per minute than the Free plan allows a person.
    ada = await dashboard.visitor('Ada', 'enterprise');
    page = ada.page;
    content = page.getByRole('textbox', { name: 'Content', exact: true });
    await ada.open('documents');
    dashboard.keepPages();
  };
  const call = async (method: string, path: string, data?: unknown): Promise<any> => {
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1${path}`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const response = await ada.context.request.fetch(url, { method, headers, data });
    if (!response.ok()) throw new Error(await response.text());
    return ((await response.json()) as { data: unknown }).data;
  };
  const stored = async () =>
    ((await call('GET', `/documents/${id}`)) as { content: string }).content;
  /** Opens a new document with this text, without loading the page again. */
  const open = async (text: string) => {
    id = ((await call('POST', '/documents', { title: 'Text', content: text })) as { id: string })
      .id;
    await page.evaluate(openInApp(`/dashboard/${ada.accountId}/documents/${id}`));
    await page.waitForURL(new RegExp(id));
    await editorReady(page);
  };
  /** Saves, and looks at what the service has then. */
  const saved = async (expected: string) => {
    await save();
    expect(await stored()).toBe(expected);
  };
  const save = async () => {
    await page.keyboard.press('Control+s');
    await page
      .getByRole('status', { name: 'Saving' })
      .getByText('Saved', { exact: true })
      .waitFor();
  };
  /** What a reader sees, line by line. */
  const shown = async () =>
    (await content.locator('.cm-line').allInnerTexts()).map((line) => line.replace(/\n$/, ''));
  const waitForLines = (expected: string[]) =>
    eventually(shown, (found) => JSON.stringify(found) === JSON.stringify(expected));
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const toolbar = () => page.getByRole('toolbar', { name: 'Formatting' });

  /** The text without the first letter that is not in the other one. */
  const withoutLetter = (typed: string, text: string) => {
    let at = 0;
    while (at < text.length && typed[at] === text[at]) at += 1;
    return typed.slice(0, at) + typed.slice(at + 1);
  };

  it('READMEs are stored unchanged, byte for byte, after a letter was typed, saved, undone and saved', async () => {
    const cases = drillCases(
      readmes(),
      ({ text }, index) => index % SAMPLE === 0 || (text.includes('\r') && index % 16 === 0),
    );
    expect(cases.length).toBeGreaterThan(10);
    const changed: string[] = [];
    for (const [index, { file, text }] of cases.entries()) {
      // A person may read 600 times a minute.
      if (index % PER_PERSON === PER_PERSON - 1) await signUp();
      await open(text);
      await content.focus();
      await press('Control+Home');
      await page.keyboard.type('x');
      await save();
      const typed = await stored();
      await press('Control+z');
      await save();
      const undone = await stored();
      if (withoutLetter(typed, text) !== text || undone !== text) changed.push(file);
    }
    expect(changed).toEqual([]);
  }, 3_600_000);

  it('a letter changes nothing else in a text with mixed line breaks, a break is of the usual kind', async () => {
    await open('one\r\ntwo\nthree\rfour\r\nfive');
    await content.getByText('three').click();
    await press('End');
    await page.keyboard.type('!');
    await saved('one\r\ntwo\nthree!\rfour\r\nfive');
    await press('Enter');
    await page.keyboard.type('new');
    await saved('one\r\ntwo\nthree!\r\nnew\rfour\r\nfive');
    await content.getByText('two').click();
    await press('Home', 'Backspace');
    await saved('one' + 'two\nthree!\r\nnew\rfour\r\nfive');
    await press('Control+z');
    await saved('one\r\ntwo\nthree!\r\nnew\rfour\r\nfive');
  });

  it('Markdown is hidden, and appears where the caret is', async () => {
    const text = '# Plan\n\nIt **grows** by `12`.\n\n> said\n\n```js\nrun();\n```';
    await open(text);
    const finished = ['Plan', '', 'It grows by 12.', '', 'said', '', '```js', 'run();', '```'];
    await waitForLines(finished);
    await content.getByText('grows').click();
    await waitForLines(finished.with(2, 'It **grows** by 12.'));
    await content.getByText('Plan').click();
    await waitForLines(finished.with(0, '# Plan'));
    await content.getByText('said').click();
    await waitForLines(finished.with(4, '> said'));
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByLabel('Title').click();
    await waitForLines(finished);
    expect(await stored()).toBe(text);
  });

  it('cells of a table are edited in place, by Tab and arrows, and a new row comes after the last cell', async () => {
    const table = '| Name | Amount |\n| :--- | -----: |\n| Apples | 12 |\n||  |';
    await open(`Before\n\n${table}\n\nAfter`);
    await waitForLines(['Before', '', 'Name\tAmount', '', 'Apples\t12', '\t', '', 'After']);
    await content.getByText('Apples').click();
    await press('End');
    await page.keyboard.type(' and | pears');
    await press('Tab');
    await page.keyboard.type('3');
    await press('Tab');
    await page.keyboard.type('Plums');
    await press('Tab');
    await page.keyboard.type('4');
    await press('Tab');
    await page.keyboard.type('Figs');
    await press('Shift+Tab');
    await page.keyboard.type('5');
    const head = 'Before\n\n| Name | Amount |\n| :--- | -----: |\n';
    const apples = String.raw`| Apples and \| pears | 123 |`;
    await saved(`${head}${apples}\n|Plums| 45 |\n| Figs |  |\n\nAfter`);

    await press('ArrowUp', 'ArrowUp', 'Home', 'Backspace');
    await page.keyboard.type('Total ');
    await press('ArrowUp');
    await page.keyboard.type('!');
    const rest = `${apples}\n|Plums| 45 |\n| Figs |  |\n\nAfter`;
    const total = '| Name | Total Amount |\n| :--- | -----: |\n';
    await saved(`Before\n!\n${total}${rest}`);
    await press('Control+z');
    await saved(`Before\n\n${total}${rest}`);

    // Text over several cells keeps the pipes.
    await content.getByText('Plums').click();
    await press('Home', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Delete');
    const kept = (await shown()).slice(2, 7);
    expect(kept).toHaveLength(5);
    await press('Control+z');
    await saved(`Before\n\n${total}${rest}`);

    // Enter leaves an empty last row.
    await content.getByText('Figs').click();
    await press('Enter', 'Enter');
    await page.keyboard.type('below');
    await saved(`Before\n\n${total}${rest.replace('\n\nAfter', '\nbelow\n\nAfter')}`);
  });

  it('a click on a checkbox writes one character', async () => {
    await open('- [ ] buy\n- [x] sell\n  1. [X] pack\n');
    const box = (name: string) => content.getByRole('checkbox', { name });
    expect(await box('buy').isChecked()).toBe(false);
    expect(await box('sell').isChecked()).toBe(true);
    await box('buy').click();
    await saved('- [x] buy\n- [x] sell\n  1. [X] pack\n');
    await box('pack').click();
    await box('sell').click();
    await saved('- [x] buy\n- [ ] sell\n  1. [ ] pack\n');
    await content.getByText('sell').click();
    await press('Control+z', 'Control+z', 'Control+z');
    await saved('- [ ] buy\n- [x] sell\n  1. [X] pack\n');
  });

  it('links open with Ctrl and a click, by key and from their address; scripts never, and images are not loaded', async () => {
    await open(
      '[safe](https://example.com/a) [bad](javascript:window.hacked=1)\n\n![p](https://example.com/p.png) ![q][r]\n\n[r]: https://images.example/q.png',
    );
    await content.getByText('Image on example.com').waitFor();
    await content.getByText('Image on images.example').waitFor();
    expect(
      await content.locator('img:not(.cm-widgetBuffer), script, a[href^="javascript"]').count(),
    ).toBe(0);
    await page.evaluate(`window.opened = []; window.open = (...all) => { opened.push(all); };`);
    const opened = () => page.evaluate<string[][]>('window.opened');
    await content.getByText('safe').click({ modifiers: ['Control'] });
    await content.getByText('bad').click({ modifiers: ['Control'] });
    await content.getByText('safe').click();
    await press('Alt+Enter');
    expect(await opened()).toEqual(
      Array.from({ length: 2 }, () => ['https://example.com/a', '_blank', 'noopener,noreferrer']),
    );
    await page.getByLabel('Title').click();
    await content.getByText('safe').hover();
    const link = page.getByRole('link', { name: 'Open link' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://example.com/a');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await content.getByText('bad').hover();
    await page.getByText('javascript:window.hacked=1').waitFor();
    expect(await link.count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  it('keys format text and lines, and Tab indents items until Escape', async () => {
    await open('plain words here\n\none\ntwo');
    await content.getByText('plain').click();
    await press('Home', 'Control+Shift+ArrowRight', 'Control+b');
    await saved('**plain** words here\n\none\ntwo');
    await press('Control+b', 'Control+i');
    await saved('*plain* words here\n\none\ntwo');
    await press('Control+i', 'Control+e', 'Control+Shift+X');
    await saved('~~`plain`~~ words here\n\none\ntwo');
    await press('Control+Shift+X', 'Control+e', 'Control+k');
    await page.keyboard.type('https://example.com');
    await saved('[plain](https://example.com) words here\n\none\ntwo');
    await press('Control+z', 'Control+z');
    await press('Control+Alt+2');
    await eventually(shown, ([first]) => first?.startsWith('## ') === true);
    await press('Control+Alt+0', 'Control+Alt+1', 'Control+Alt+3', 'Control+Alt+0');

    await content.getByText('one').click();
    await press('Home', 'Shift+ArrowDown', 'Shift+End', 'Control+Shift+7');
    await eventually(shown, (lines) => lines.at(-1) === '2. two');
    await press('Control+Shift+9');
    await saved('plain words here\n\n- [ ] one\n- [ ] two');
    await press('Control+Shift+8', 'ArrowRight', 'Tab');
    await saved('plain words here\n\n- one\n  - two');
    await press('Shift+Tab');
    await saved('plain words here\n\n- one\n- two');
    await press('Tab', 'Escape', 'Tab');
    await eventually(
      () => page.evaluate(`document.activeElement?.shadowRoot === null`),
      (isOutside) => isOutside === true,
    );
  });

  it('the toolbar stands above a selection, shows what is on, and is reached by Alt+F10', async () => {
    await open('some words\n\nmore');
    expect(await toolbar().count()).toBe(0);
    await content.getByText('some words').dblclick({ position: { x: 10, y: 10 } });
    await toolbar().waitFor();
    expect(await toolbar().getByRole('button').count()).toBe(9);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const bold = toolbar().getByRole('button', { name: 'Bold' });
    await bold.click();
    await saved('**some** words\n\nmore');
    await toolbar().getByRole('button', { name: 'Bold', pressed: true }).waitFor();
    await press('Alt+F10', 'ArrowRight', 'ArrowRight', 'Enter');
    await saved('**~~some~~** words\n\nmore');
    await press('End', 'ArrowLeft', 'Enter', 'Escape', 'ArrowRight');
    await saved('1. **~~some~~** words\n\nmore');
    await toolbar().waitFor({ state: 'detached' });
    await page.keyboard.type('!');
    await save();
    expect(await stored()).toMatch(/^1\. .*!/);
  });

  it('text is found, counted and replaced in a panel, with the keyboard alone', async () => {
    await open('Cat, cat and catalog.\n\n**cat**');
    await content.click();
    await press('Control+f');
    const panel = page.getByRole('search', { name: 'Find and replace' });
    const find = panel.getByRole('textbox', { name: 'Find', exact: true });
    await page.keyboard.type('cat');
    await panel.getByText('4 found').waitFor();
    await press('Enter');
    await panel.getByText(/^\d of 4$/).waitFor();
    await panel.getByRole('button', { name: 'Match case' }).click();
    await panel.getByText(/3$|3 found/).waitFor();
    await panel.getByRole('button', { name: 'Whole word' }).click();
    await panel.getByText(/2$|2 found/).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await find.press('Control+Alt+f');
    await page.keyboard.type('dog');
    await panel.getByRole('button', { name: 'Replace all' }).click();
    await panel.getByText('No results').waitFor();
    await press('Escape');
    await panel.waitFor({ state: 'detached' });
    await saved('Cat, dog and catalog.\n\n**dog**');
    await press('Control+f');
    await find.fill('(');
    await panel.getByRole('button', { name: 'Regular expression' }).click();
    await panel.getByText('Invalid expression').waitFor();
    await press('Escape');
  });

  it('plain Markdown is a key away, and the browser remembers it', async () => {
    await open('# Title\n\n**bold**');
    await waitForLines(['Title', '', 'bold']);
    await content.click();
    await press('Control+Shift+M');
    await waitForLines(['# Title', '', '**bold**']);
    await page.reload();
    await editorReady(page);
    await waitForLines(['# Title', '', '**bold**']);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    await page.getByRole('menuitem', { name: 'Show finished text' }).click();
    await waitForLines(['Title', '', 'bold']);
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Show or hide plain Markdown').waitFor();
    await press('Escape');
  });

  it('a viewer sees no Markdown, changes no checkbox, and opens links with a click', async () => {
    const viewer = await dashboard.visitor('Vera');
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const post = async (by: Visitor, path: string, data: object) => {
      const url = `${dashboard.app.origin}/dashboard/api${path}`;
      const response = await by.context.request.post(url, { headers, data });
      return ((await response.json()) as { data: { link: string } }).data;
    };
    const invitation = { email: viewer.email, role: 'viewer' };
    const { link } = await post(ada, `/accounts/${ada.accountId}/invitations`, invitation);
    await post(viewer, '/links/use', { token: link.split('#')[1] });
    const text = '# Title\n\n- [ ] task\n\nsee [the site](https://example.com/s)';
    await open(text);
    await viewer.page.goto(page.url());
    const read = viewer.page.getByLabel('Content');
    await read.and(viewer.page.locator('[aria-readonly=true]')).waitFor();
    await read.getByText('Title').click();
    const lines = await read.locator('.cm-line').allInnerTexts();
    expect(lines[0]).toBe('Title');
    expect(await read.getByRole('checkbox', { name: 'task', disabled: true }).count()).toBe(1);
    const anchor = read.getByRole('link', { name: 'the site' });
    expect(await anchor.getAttribute('href')).toBe('https://example.com/s');
    expect(await anchor.getAttribute('rel')).toContain('noopener');
    expect(await stored()).toBe(text);
    await viewer.context.close();
  });

  it('lines in Hebrew and Arabic run from right to left beside lines in English', async () => {
    await open('# שלום\n\nHello שלום\n\n- مرحبا\n- hi');
    const direction = (text: string) =>
      content.locator('.cm-line', { hasText: text }).first().getAttribute('dir');
    expect(await direction('שלום')).toBe('rtl');
    expect(await direction('Hello')).toBe('ltr');
    expect(await direction('مرحبا')).toBe('rtl');
    expect(await direction('hi')).toBe('ltr');
    await content.getByText('مرحبا').click();
    await press('End');
    await page.keyboard.type('!');
    await saved('# שלום\n\nHello שלום\n\n- مرحبا!\n- hi');
  });
});
