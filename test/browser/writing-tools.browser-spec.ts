import type { Locator, Page } from 'playwright-core';
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

const PHONE = { width: 390, height: 780 };
const WINDOW = { width: 1_280, height: 800 };

describeInBrowser('the tools of the writing surface', () => {
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
    await page.setViewportSize(WINDOW);
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
  /** Saves until the service has this text. */
  const saved = async (expected: string) => {
    await page.keyboard.press('Control+s');
    await eventually(stored, (text) => text === expected);
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const type = (text: string) => page.keyboard.type(text);
  const toolbar = () => page.getByRole('toolbar', { name: 'Formatting' });
  const tool = (name: string) => toolbar().getByRole('button', { name, exact: true });
  const linkDialog = () => page.getByRole('dialog', { name: 'Link', exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const insertMenu = () => page.getByRole('listbox', { name: 'Insert' });
  const option = (name: string) => insertMenu().getByRole('option', { name, exact: true });
  const findBar = () => page.getByRole('search', { name: 'Find and replace' });
  const hidden = (locator: Locator) => locator.waitFor({ state: 'hidden' });
  const isInText = () =>
    eventually(
      () => page.evaluate(`document.activeElement?.ariaLabel === 'Content'`),
      (isFocused) => isFocused === true,
    );
  /** Moves the caret to the start or end of the text. After a focus, ProseMirror may move it back. */
  const caretTo = (key: 'Control+Home' | 'Control+End') =>
    eventually(
      async () => {
        await press(key);
        return page.evaluate<boolean>(`(async () => {
          for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
          const { anchorNode, anchorOffset, isCollapsed } = getSelection();
          const blocks = document.activeElement.children;
          const isHome = ${String(key === 'Control+Home')};
          const block = isHome ? blocks[0] : blocks[blocks.length - 1];
          const isAtEdge = anchorOffset === (isHome ? 0 : anchorNode.length ?? 0);
          return isCollapsed && isAtEdge && block.contains(anchorNode);
        })()`);
      },
      (isThere) => isThere,
    );
  const selectedText = () => page.evaluate<string>('getSelection().toString()');
  /** Selects a word with the pointer. */
  const select = async (word: string, within = content) => {
    await within
      .getByText(word)
      .first()
      .dblclick({ position: { x: 6, y: 12 } });
    await eventually(selectedText, (text) => text.trim() === word.split(' ')[0]);
  };
  /** Fails if axe finds something, or if the tool is not inside of the window. */
  const check = async (open: Locator) => {
    await open.waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const box = await open.boundingBox();
    const { width, height } = page.viewportSize() ?? WINDOW;
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  };

  it('the toolbar stands above selected text, formats it without taking the focus, and shows what is on', async () => {
    await open('some words\n\nmore');
    await hidden(toolbar());
    await select('some words');
    await check(toolbar());
    expect(await toolbar().getByRole('button').count()).toBe(10);
    await tool('Bold').click();
    await isInText();
    await saved('**some** words\n\nmore');
    expect(await tool('Bold').getAttribute('aria-pressed')).toBe('true');
    await tool('Strikethrough').click();
    await tool('Bold').click();
    await saved('~~some~~ words\n\nmore');
    await tool('Heading').click();
    await saved('## ~~some~~ words\n\nmore');
    await tool('Numbered list').click();
    await saved('1. ~~some~~ words\n\nmore');
    expect(await tool('Numbered list').getAttribute('aria-pressed')).toBe('true');
    await tool('Checklist').click();
    await saved('- [ ] ~~some~~ words\n\nmore');
    await tool('Checklist').click();
    await tool('Quote').click();
    await saved('> ~~some~~ words\n\nmore');
    await content.getByText('more').click();
    await hidden(toolbar());
  });

  it('Alt+F10 moves to the toolbar, arrows, Home and End move along it, and Escape returns to the text', async () => {
    await open('some words');
    await select('some words');
    await toolbar().waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
    await press('Alt+F10');
    expect(await focused()).toBe('Bold');
    await press('End');
    expect(await focused()).toBe('Quote');
    await press('ArrowRight', 'ArrowRight');
    expect(await focused()).toBe('Italic');
    await press('ArrowLeft', 'ArrowLeft', 'Home', 'ArrowRight', 'Enter');
    await isInText();
    await saved('*some* words');
    await press('Alt+F10', 'Escape');
    await isInText();
    expect(await selectedText()).toBe('some');
  });

  it('the toolbar is not shown for code, which has no formats', async () => {
    await open('words\n\n```\nsome code\n```');
    await select('words');
    await toolbar().waitFor();
    await select('some code');
    await hidden(toolbar());
  });

  it('Ctrl+K links the selection to a completed address as one undo step', async () => {
    await open('some words');
    await select('some words');
    await press('Control+k');
    await check(linkDialog());
    expect(await field('Text').inputValue()).toBe('some');
    await hidden(toolbar());
    await type('example.com/a');
    await press('Enter');
    await isInText();
    await saved('[some](https://example.com/a) words');
    await press('Control+z');
    await saved('some words');
  });

  it('the link dialog is filled from the whole link around the caret, and changes or removes it', async () => {
    await open('see [the **whole** page](https://example.com/a) there');
    await content
      .getByText('the')
      .last()
      .click({ position: { x: 6, y: 12 } });
    await press('Control+k');
    await linkDialog().waitFor();
    expect(await field('Text').inputValue()).toBe('the whole page');
    expect(await field('Address').inputValue()).toBe('https://example.com/a');
    await field('Address').fill('ada@example.com');
    await field('Text').fill('the whole site');
    await press('Enter');
    await saved('see [the **whole** site](mailto:ada@example.com) there');
    await press('Control+z');
    await saved('see [the **whole** page](https://example.com/a) there');
    await press('Control+k');
    await linkDialog().getByRole('button', { name: 'Remove' }).click();
    await isInText();
    await saved('see the **whole** page there');
  });

  it('the link dialog refuses unsafe and missing addresses, and Escape gives the selection back', async () => {
    await open('some words');
    await select('some words');
    await press('Control+k');
    await linkDialog().waitFor();
    await press('Enter');
    await linkDialog().getByText('Enter an address.').waitFor();
    await type('javascript:alert(1)');
    await press('Enter');
    await linkDialog().getByText('Enter a web or email address.').waitFor();
    await check(linkDialog());
    expect(await linkDialog().getByRole('button', { name: 'Open' }).isVisible()).toBe(false);
    await press('Escape');
    await hidden(linkDialog());
    await isInText();
    expect(await selectedText()).toBe('some');
    await press('Control+b');
    await saved('**some** words');
  });

  it('without a selection, the dialog inserts a link; a pasted address alone is enough', async () => {
    await open('');
    await content.click();
    await press('Control+k');
    await type('the page');
    await press('Tab');
    await type('example.com');
    await press('Enter');
    await saved('[the page](https://example.com)');
    await type(' and ');
    await press('Control+k');
    await type('https://example.org');
    await press('Enter');
    await saved('[the page](https://example.com) and https://example.org');
  });

  it('a link at the caret shows its address, which opens in a new tab if it is safe', async () => {
    await open('[safe](https://example.com/a) and [bad](javascript:window.hacked=1)');
    await page.evaluate(`window.opened = []; window.open = (...all) => { opened.push(all); };`);
    await content.getByText('safe').click();
    const tooltip = page.getByRole('group', { name: 'Link at the caret' });
    await check(tooltip);
    await tooltip.getByText('https://example.com/a').waitFor();
    const link = tooltip.getByRole('link', { name: 'Open' });
    expect(await link.getAttribute('href')).toBe('https://example.com/a');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await press('Control+k');
    await hidden(tooltip);
    await linkDialog().getByRole('button', { name: 'Open' }).click();
    expect(await page.evaluate('opened')).toEqual([
      ['https://example.com/a', '_blank', 'noopener,noreferrer'],
    ]);
    await press('Escape');
    await content.getByText('bad').click();
    await tooltip.getByText('javascript:window.hacked=1').waitFor();
    expect(await link.isVisible()).toBe(false);
    await press('Alt+F10', 'Enter');
    await linkDialog().waitFor();
    expect(await field('Address').inputValue()).toBe('javascript:window.hacked=1');
    await press('Escape');
  });

  it('/ in an empty block opens a menu that is filtered while typing, and Enter inserts as one undo step', async () => {
    await open('');
    await content.click();
    await type('/');
    await check(insertMenu());
    expect(await insertMenu().getByRole('option').count()).toBe(11);
    await isInText();
    await type('quo');
    await eventually(
      () => insertMenu().getByRole('option').count(),
      (count) => count === 1,
    );
    const active = await content.getAttribute('aria-activedescendant');
    expect(await option('Quote').getAttribute('id')).toBe(active);
    expect(await option('Quote').getAttribute('aria-selected')).toBe('true');
    await press('Enter');
    await hidden(insertMenu());
    expect(await content.getAttribute('aria-activedescendant')).toBeNull();
    await type('said');
    await saved('> said');
    await press('Control+z', 'Control+z');
    await eventually(
      () => content.innerText(),
      (text) => text.trim() === '/quo',
    );
  });

  it.each([
    ['heading 1', '# x'],
    ['h2', '## x'],
    ['subs', '### x'],
    ['bulleted', '- x'],
    ['numbered', '1. x'],
    ['todo', '- [ ] x'],
    ['code', '```\nx\n```'],
    ['divider', '---\n\nx'],
  ])('/%s and Enter, and then x, writes %j', async (query, expected) => {
    await open('');
    await content.click();
    await type(`/${query}`);
    await insertMenu().waitFor();
    await press('Enter');
    await hidden(insertMenu());
    await type('x');
    await saved(expected);
  });

  it('a menu table has a header row, and the caret in its first cell', async () => {
    await open('');
    await content.click();
    await type('/tab');
    await insertMenu().waitFor();
    await press('Enter');
    await type('Name');
    await press('Tab');
    await type('Owner');
    await eventually(
      () => content.locator('tr').first().innerText(),
      (text) => /Name\s+Owner/.test(text),
    );
    expect(await content.locator('tr').count()).toBe(3);
  });

  it('a menu image asks for its address, and Escape leaves what was typed', async () => {
    await open('');
    await content.click();
    await type('/image');
    await insertMenu().waitFor();
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Image' });
    await check(dialog);
    await press('Escape');
    await isInText();
    await saved('/image');
    await press('Backspace');
    await type('e');
    await hidden(insertMenu());
    await press('Control+a', 'Backspace');
    await type('/');
    await insertMenu().waitFor();
    await option('Image').click();
    await dialog.waitFor();
    await type('https://images.example/a.png');
    await press('Tab');
    await type('A plan');
    await press('Enter');
    await saved('![A plan](https://images.example/a.png)');
  });

  it('arrows move through the menu, Escape closes it and leaves the text, and words without a match stay text', async () => {
    await open('');
    await content.click();
    await type('/');
    await insertMenu().waitFor();
    await press('ArrowUp');
    await eventually(
      () => option('Image').getAttribute('aria-selected'),
      (selected) => selected === 'true',
    );
    await press('ArrowDown', 'ArrowDown', 'Escape');
    await hidden(insertMenu());
    await type('usr');
    expect(await insertMenu().isVisible()).toBe(false);
    await press('Enter');
    await type('/opt/local');
    await hidden(insertMenu());
    await press('Enter');
    await type('a/b');
    await saved('/usr\n\n/opt/local\n\na/b');
  });

  it('the button beside an empty block opens the menu, also at the bottom of the page', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `Line ${String(index)}`).join('\n\n');
    await open(lines);
    await content.click();
    await caretTo('Control+End');
    await press('Enter');
    const button = page.getByRole('button', { name: 'Insert', exact: true });
    await button.waitFor();
    await button.click();
    await check(insertMenu());
    await isInText();
    await press('Escape');
    await saved(lines);
    await button.click();
    await insertMenu().waitFor();
    await option('Checklist').click();
    await type('x');
    await saved(`${lines}\n\n- [ ] x`);
  });

  it('a menu adds, aligns and deletes rows and columns of the table at the caret', async () => {
    await open('| a | b |\n| --- | --- |\n| 1 | 2 |\n\nend');
    const button = page.getByRole('button', { name: 'Table options' });
    await hidden(button);
    await content.getByText('1', { exact: true }).click();
    await button.waitFor();
    const menu = page.getByRole('menu', { name: 'Table options' });
    const item = (name: string) =>
      menu.getByRole(/^Align/.test(name) ? 'menuitemradio' : 'menuitem', { name });
    const choose = async (name: string) => {
      await button.click();
      await item(name).click();
      await hidden(menu);
      await isInText();
    };
    await button.click();
    await check(menu);
    await press('Escape');
    await isInText();
    await choose('Insert row below');
    await choose('Insert column right');
    await eventually(
      () => content.locator('td').count(),
      (count) => count === 6,
    );
    await choose('Align right');
    await button.click();
    expect(await item('Align right').getAttribute('aria-checked')).toBe('true');
    await press('Escape');
    await choose('Delete column');
    await choose('Delete row');
    await press('Control+z');
    await eventually(
      () => content.locator('td').count(),
      (count) => count === 4,
    );
    await press('Alt+F10');
    await menu.waitFor();
    await press('End', 'Enter');
    await isInText();
    await saved('end');
  });

  it('the language of code is a field at its corner, which Alt+F10 reaches', async () => {
    await open('```js\nrun();\n```\n\nwords');
    const language = page.getByRole('combobox', { name: 'Language of the code' });
    await hidden(language);
    await content.getByText('run();').click();
    await check(language);
    expect(await language.inputValue()).toBe('js');
    await press('Alt+F10');
    await type('type`script title="a"');
    await press('Enter');
    await isInText();
    await saved('```typescript title="a"\nrun();\n```\n\nwords');
    await press('Alt+F10');
    await type('ruby');
    await press('Escape');
    await isInText();
    expect(await language.inputValue()).toBe('typescript title="a"');
    await press('Control+z');
    await saved('```js\nrun();\n```\n\nwords');
    await content.getByText('words').click();
    await hidden(language);
  });

  it('text is found, counted and replaced with the keyboard alone, also in code and tables', async () => {
    await open('Cat, cat and catalog.\n\n**cat**\n\n```\ncat\n```\n\n| cat |\n| --- |\n| x |');
    await content.getByText('catalog').click();
    await caretTo('Control+Home');
    await press('Control+f');
    await type('cat');
    await findBar().getByText('1 of 6').waitFor();
    await check(findBar());
    await press('Enter', 'F3');
    await findBar().getByText('3 of 6').waitFor();
    await press('Shift+F3', 'Control+g', 'Shift+Enter');
    await findBar().getByText('2 of 6').waitFor();
    await findBar().getByRole('button', { name: 'Match case' }).click();
    await findBar().getByText('1 of 5').waitFor();
    await findBar().getByRole('button', { name: 'Whole word' }).click();
    await findBar().getByText('1 of 4').waitFor();
    await press('Control+Alt+f');
    await type('dog');
    await press('Enter');
    await findBar().getByText('1 of 3').waitFor();
    await findBar().getByRole('button', { name: 'Replace all' }).click();
    await findBar().getByText('3 replaced').waitFor();
    const replaced = 'Cat, dog and catalog.\n\n**dog**\n\n```\ndog\n```\n\n| dog |\n| --- |\n| x |';
    await saved(replaced);
    await press('Escape');
    await hidden(findBar());
    await isInText();
    await press('Control+z');
    await saved('Cat, dog and catalog.\n\n**cat**\n\n```\ncat\n```\n\n| cat |\n| --- |\n| x |');
  });

  it('a regular expression may be invalid, and its groups are replaced', async () => {
    await open('27.11.2026');
    await content.click();
    await press('Control+f');
    await findBar().getByRole('button', { name: 'Regular expression' }).click();
    await field('Find').fill('(');
    await findBar().getByText('Invalid expression').waitFor();
    expect(await field('Find').getAttribute('aria-invalid')).toBe('true');
    await field('Find').fill(String.raw`(\d+)\.(\d+)\.(\d+)`);
    await findBar().getByText('1 of 1').waitFor();
    await press('Control+Alt+f');
    await type('$3-$2-$1');
    await press('Enter');
    await findBar().getByText('No results').waitFor();
    await press('Escape');
    await saved('2026-11-27');
  });

  it('Escape returns to the text with the match selected, and F3 goes on from there', async () => {
    await open('one cat\n\ntwo cats\n\nthree');
    await content.getByText('three').click();
    await caretTo('Control+Home');
    await press('Control+f');
    await type('cat');
    await press('Enter');
    await findBar().getByText('2 of 2').waitFor();
    await press('Escape');
    await isInText();
    await eventually(selectedText, (text) => text === 'cat');
    await type('dog');
    await saved('one cat\n\ntwo dogs\n\nthree');
    await press('F3');
    await eventually(selectedText, (text) => text === 'cat');
    await press('Control+f');
    await eventually(
      () => field('Find').inputValue(),
      (value) => value === 'cat',
    );
    await press('Escape');
  });

  it('a match far below is scrolled into view under the bar, and more than 1,000 are counted as such', async () => {
    const lines = Array.from({ length: 1_200 }, (_, index) => `Line ${String(index)} with a cat`);
    await open(lines.join('\n\n'));
    await content.getByText('Line 0 with').click();
    await caretTo('Control+Home');
    await press('Control+f');
    await type('cat');
    await findBar().getByText('1 of 1,000+').waitFor();
    await press('Shift+Enter');
    await findBar().getByText('1,200 of 1,000+').waitFor();
    const last = content.getByText('Line 1199 with a cat');
    const bar = await findBar().boundingBox();
    await eventually(
      async () => (await last.boundingBox())?.y ?? 0,
      (top) => top >= (bar?.y ?? 0) + (bar?.height ?? 0) && top < WINDOW.height,
    );
    await press('Escape', 'End');
    await type('!');
    await saved(`${lines.join('\n\n')}!`);
  });

  it('on a phone, popups fit the screen, and the toolbar is below the text even without a selection', async () => {
    await page.setViewportSize(PHONE);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await open('some words [page](https://example.com)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |');
    await content.getByText('words').click({ position: { x: 4, y: 8 } });
    await check(toolbar());
    const bar = await toolbar().boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(PHONE.height);
    await content.getByText('page').click();
    await check(page.getByRole('group', { name: 'Link at the caret' }));
    await tool('Link').click();
    await check(linkDialog());
    await press('Escape');
    await content.getByText('1', { exact: true }).click();
    await page.getByRole('button', { name: 'Table options' }).click();
    await check(page.getByRole('menu', { name: 'Table options' }));
    await press('Escape');
    await content.getByText('words').click({ position: { x: 4, y: 8 } });
    await tool('Insert').click();
    await check(insertMenu());
    await option('Heading 2').click();
    await type('Part');
    await press('Control+Alt+f');
    await type('a');
    await check(findBar());
    await press('Escape');
    await saved(
      'some words [page](https://example.com)\n\n## Part\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    );
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await session.detach();
  });
});
