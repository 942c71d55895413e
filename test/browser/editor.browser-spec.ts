import type { Locator, Page } from 'playwright-core';
import { drillCases } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  caretSettled,
  describeInBrowser,
  editorReady,
  isSecondTry,
  openInApp,
  useDashboard,
  type Visitor,
} from './support/dashboard.js';
import { readmes, startsWithDefinition } from './support/readmes.js';

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
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const hasFocus = async () => (await content.and(page.locator(':focus')).count()) === 1;
  /** Puts the caret at the end of a text. */
  const clickEnd = async (text: string) => {
    await content.getByText(text, { exact: true }).first().click();
    await caretSettled(page);
    await press('End');
  };

  /** The text without the first letter that is not in the other one. */
  const withoutLetter = (typed: string, text: string) => {
    let at = 0;
    while (at < text.length && typed[at] === text[at]) at += 1;
    return typed.slice(0, at) + typed.slice(at + 1);
  };

  it('READMEs are stored unchanged, byte for byte, after a letter was typed, saved, undone and saved', async () => {
    const cases = drillCases(
      readmes().filter(({ text }) => !startsWithDefinition(text)),
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
    await open('one\r\n\r\ntwo\n\nthree\r\rfour\r\n\r\nfive');
    await clickEnd('three');
    await page.keyboard.type('!');
    await saved('one\r\n\r\ntwo\n\nthree!\r\rfour\r\n\r\nfive');
    await press('Enter');
    await page.keyboard.type('new');
    await saved('one\r\n\r\ntwo\n\nthree!\r\n\r\nnew\r\rfour\r\n\r\nfive');
  });

  it('a reader sees finished text, also where the caret is, and opening it changes nothing', async () => {
    const text = [
      '# Plan',
      'It **grows** by `12`, *slowly* and ~~never~~ [here](https://example.com).',
      '> said',
      '```js\nrun();\n```',
      '1. one\n2. two',
      '| Name | Amount |\n| :--- | -----: |\n| Apples | 12 |',
      '<div>raw</div>',
      '---',
      'End',
    ].join('\n\n');
    await open(text);
    await content.getByText('grows').click();
    const shown = await content.innerText();
    expect(shown).toContain('It grows by 12, slowly and never here.');
    expect(shown).not.toMatch(/[*#`~|]/);
    expect(await content.getByRole('heading', { level: 1, name: 'Plan' }).count()).toBe(1);
    expect(await content.getByRole('row').count()).toBe(2);
    await content.getByText('<div>raw</div>').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    expect(await stored()).toBe(text);
  });

  /** Title, text, the words at whose end the caret is, keys or typed text, and the Markdown afterwards. */
  const KEYS: readonly (readonly [string, string, string, readonly string[], string])[] = [
    ['Home and typing', '- one\n- two', 'two', ['Home', '"my '], '- one\n- my two'],
    ['Home in a heading', '## Plan', 'Plan', ['Home', '"Our '], '## Our Plan'],
    ['Enter in a paragraph', 'onetwo', 'onetwo', ['Home', '→', '→', '→', 'Enter'], 'one\n\ntwo'],
    ['Enter after a heading', '# One', 'One', ['Enter', '"two'], '# One\n\ntwo'],
    ['Enter after an item', '- one', 'one', ['Enter', '"two'], '- one\n- two'],
    ['Enter after a task', '- [x] one', 'one', ['Enter', '"two'], '- [x] one\n- [ ] two'],
    ['Enter in an empty item', '- one', 'one', ['Enter', 'Enter', '"out'], '- one\n\nout'],
    ['Enter in an empty quote line', '> one', 'one', ['Enter', 'Enter', '"out'], '> one\n\nout'],
    ['Enter in code', '```\none\n```', 'one', ['Enter', '"two'], '```\none\ntwo\n```'],
    ['Shift+Enter', 'one', 'one', ['Shift+Enter', '"two'], 'one\\\ntwo'],
    ['Backspace at a heading', '# One', 'One', ['Home', 'Backspace'], 'One'],
    ['Backspace at a task', '- [ ] one', 'one', ['Home', 'Backspace'], '- one'],
    ['Backspace at an item', 'a\n\n- one', 'one', ['Home', 'Backspace'], 'a\n\none'],
    ['Backspace at a paragraph', 'one\n\ntwo', 'two', ['Home', 'Backspace'], 'onetwo'],
    ['Delete at the end', 'one\n\ntwo', 'one', ['Delete'], 'onetwo'],
    ['Tab in an item', '- one\n- two', 'two', ['Tab'], '- one\n  - two'],
    ['Shift+Tab in an item', '- one\n  - two', 'two', ['Shift+Tab'], '- one\n- two'],
    ['Ctrl+B while typing', 'a', 'a', ['" ', 'Control+b', '"b', 'Control+b', '"c'], 'a **b**c'],
    ['Ctrl+I', 'one', 'one', ['Shift+Home', 'Control+i'], '*one*'],
    ['Ctrl+E', 'one', 'one', ['Shift+Home', 'Control+e'], '`one`'],
    ['Ctrl+Shift+X', 'one', 'one', ['Shift+Home', 'Control+Shift+x'], '~~one~~'],
    ['Ctrl+Alt+2', 'one', 'one', ['Control+Alt+2'], '## one'],
    ['Ctrl+Alt+0', '# one', 'one', ['Control+Alt+0'], 'one'],
    ['Ctrl+Shift+7', 'one', 'one', ['Control+Shift+7'], '1. one'],
    ['Ctrl+Shift+8', 'one', 'one', ['Control+Shift+8'], '- one'],
    ['Ctrl+Shift+9', 'one', 'one', ['Control+Shift+9'], '- [ ] one'],
    ['# and a space', 'a', 'a', ['Enter', '"# b'], 'a\n\n# b'],
    ['- and a space', 'a', 'a', ['Enter', '"- b'], 'a\n\n- b'],
    ['[] and a space', 'a', 'a', ['Enter', '"[] b'], 'a\n\n- [ ] b'],
    ['> and a space', 'a', 'a', ['Enter', '"> b'], 'a\n\n> b'],
    ['typed bold', 'a', 'a', ['" **b** c'], 'a **b** c'],
    ['a conversion and Backspace', 'a', 'a', ['Enter', '"# ', 'Backspace', '"b'], 'a\n\n\\# b'],
    ['typed signs', 'a', 'a', ['" 2*3*4 [x]'], 'a 2*3\\*4 [x]'],
  ];

  it.each(KEYS)('the key table has for %s the expected Markdown', async (_title, ...row) => {
    const [text, words, keys, expected] = row;
    await open(text);
    await clickEnd(words);
    for (const key of keys) {
      if (key.startsWith('"')) await page.keyboard.type(key.slice(1));
      else await press(key === '→' ? 'ArrowRight' : key);
    }
    await saved(expected);
    // All of it can be undone.
    for (let step = 0; step < 8; step += 1) await press('Control+z');
    await saved(text);
  });

  it('cells of a table are edited in place, Tab goes to the next one, and a new row comes after the last cell', async () => {
    const table = '| Name | Amount |\n| :--- | -----: |\n| Apples | 12 |';
    await open(`Before\n\n${table}\n\nAfter`);
    await clickEnd('Apples');
    await page.keyboard.type(' and | pears');
    await press('Tab', 'End');
    await page.keyboard.type('3');
    await press('Tab');
    await page.keyboard.type('Plums');
    await press('Tab');
    await page.keyboard.type('4');
    await press('Enter');
    await page.keyboard.type('5');
    const head = 'Before\n\n| Name | Amount |\n| :--- | -----: |\n';
    const rows = [String.raw`| Apples and \| pears | 123 |`, '| Plums | 4 |', '|  | 5 |'];
    await saved(`${head}${rows.join('\n')}\n\nAfter`);
    const cell = content.getByRole('cell', { name: '123' });
    expect(await cell.getAttribute('data-align')).toBe('right');
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
    await clickEnd('sell');
    await press('Control+z', 'Control+z', 'Control+z');
    await saved('- [ ] buy\n- [x] sell\n  1. [X] pack\n');
  });

  it('links open with Ctrl and a click and by key; scripts never, and images are not loaded', async () => {
    await open(
      '[safe](https://example.com/a) [bad](javascript:window.hacked=1)\n\n![p](https://example.com/p.png) ![q][r]\n\n[r]: https://images.example/q.png',
    );
    await content.getByText('Image on example.com').waitFor();
    await content.getByText('Image on images.example').waitFor();
    expect(await content.locator('img[src], script, a[href^="javascript"]').count()).toBe(0);
    await page.evaluate(`window.opened = []; window.open = (...all) => { opened.push(all); };`);
    const opened = () => page.evaluate<string[][]>('window.opened');
    await content.getByText('safe').click({ modifiers: ['Control'] });
    await content.getByText('bad').click({ modifiers: ['Control'] });
    await content.getByText('safe').click();
    await caretSettled(page);
    await press('Alt+Enter');
    expect(await opened()).toEqual(
      Array.from({ length: 2 }, () => ['https://example.com/a', '_blank', 'noopener,noreferrer']),
    );
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  it('keys of the page do nothing while somebody writes, and Ctrl+Shift+K opens the command palette', async () => {
    await open('some words');
    await clickEnd('some words');
    await page.keyboard.type('? /c');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await saved('some words? /c');
    await press('Control+Shift+K');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await press('Escape');
    await eventually(hasFocus, (isFocused) => isFocused);
  });

  it('a letter typed before a link or bold text that starts with this letter is not part of it', async () => {
    await open('[bar](https://example.com) and **bold**');
    await content.getByText('bar').click();
    await caretSettled(page);
    await press('Home');
    await page.keyboard.type('bb');
    await saved('bb[bar](https://example.com) and **bold**');
    await content.getByText('bold').click();
    await caretSettled(page);
    await press('End');
    await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    await page.keyboard.type('b');
    await saved('bb[bar](https://example.com) and b**bold**');
    await press('Control+z');
    await saved('bb[bar](https://example.com) and **bold**');
  });

  it('Escape and Tab leave the text', async () => {
    await open('- one\n- two');
    await clickEnd('two');
    await press('Escape', 'Tab');
    expect(await hasFocus()).toBe(false);
  });

  it('plain Markdown is a key away, with the caret and unsaved words, and the browser remembers it', async () => {
    const plain = page.locator('.cm-content');
    await open('# Title\n\n**bold** words');
    await clickEnd('Title');
    await page.keyboard.type('!');
    await press('Control+Shift+M');
    await plain.getByText('# Title!').waitFor();
    await page.keyboard.type('?');
    await saved('# Title!?\n\n**bold** words');
    await press('Control+Shift+M');
    await content.getByRole('heading', { name: 'Title!?' }).waitFor();
    await caretSettled(page);
    await page.keyboard.type('.');
    await saved('# Title!?.\n\n**bold** words');
    await press('Control+Shift+M');
    await plain.getByText('**bold** words').waitFor();
    await page.reload();
    await plain.getByText('**bold** words').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    await page.getByRole('menuitem', { name: 'Show finished text' }).click();
    await content.getByRole('heading', { name: 'Title!?.' }).waitFor();
  });

  it('composed text is kept when others change the same paragraph meanwhile', async () => {
    await open('First words here\n\nSecond paragraph');
    await clickEnd('First words here');
    const devTools = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      devTools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await compose('に');
    await compose('にほ');
    await call('PATCH', `/documents/${id}`, {
      content: 'New first words here\n\nSecond paragraph, changed',
    });
    await eventually(
      () => page.getByRole('status').allInnerTexts(),
      (texts) => texts.some((text) => /changed 2 passages/.test(text)),
    );
    await compose('にほん');
    await devTools.send('Input.insertText', { text: '日本' });
    await content.getByText('New first words here日本').waitFor();
    await content.getByText('Second paragraph, changed').waitFor();
    await saved('New first words here日本\n\nSecond paragraph, changed');
    await page.keyboard.type('!');
    await saved('New first words here日本!\n\nSecond paragraph, changed');
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
    await viewer.page.keyboard.type('x');
    expect(await read.getByRole('heading').innerText()).toBe('Title');
    expect(await read.getByRole('checkbox', { name: 'task', disabled: true }).count()).toBe(1);
    const anchor = read.getByRole('link', { name: 'the site' });
    expect(await anchor.getAttribute('href')).toBe('https://example.com/s');
    expect(await anchor.getAttribute('rel')).toContain('noopener');
    expect(await stored()).toBe(text);
    await viewer.context.close();
  });

  it('blocks in Hebrew and Arabic run from right to left beside blocks in English', async () => {
    await open('# שלום\n\nHello שלום\n\n- مرحبا\n- hi');
    const isRightToLeft = async (element: Locator) =>
      (await element.and(page.locator(':dir(rtl)')).count()) === 1;
    expect(await isRightToLeft(content.getByText('Hello'))).toBe(false);
    expect(await isRightToLeft(content.getByText('مرحبا'))).toBe(true);
    expect(await isRightToLeft(content.getByText('hi', { exact: true }))).toBe(false);
    expect(await isRightToLeft(content.getByRole('heading'))).toBe(true);
    await clickEnd('مرحبا');
    await page.keyboard.type('!');
    await saved('# שלום\n\nHello שלום\n\n- مرحبا!\n- hi');
  });
});
