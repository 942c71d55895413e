import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { readHtml } from '@document-service/conversion/html/html-reader';
import { writeMarkdown } from '@document-service/conversion/markdown/markdown-writer';
import { eventually } from '../support/eventually.js';
import { dangersIn } from '../support/markdown-dangers.js';
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

const CLIPBOARDS = path.join(__dirname, '../dashboard-ui/clipboards');

interface Copied {
  html?: string;
  text?: string;
}

interface TestFile {
  name: string;
  type?: string;
  content: string | Buffer;
}

/** Runs in the page. Puts this on the clipboard as a program does, which may be anything. */
const copy = (copied: Copied) => `{
  const { html, text } = ${JSON.stringify(copied)};
  const set = (event) => {
    if (html !== undefined) event.clipboardData.setData('text/html', html);
    if (text !== undefined) event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', set, { capture: true, once: true });
  document.execCommand('copy');
}`;

/** Runs in the page. Returns the files as a program drags or copies them. */
const transferOf = (files: readonly TestFile[]) => `(() => {
  const files = ${JSON.stringify(files.map(({ name, type = '', content }) => ({ name, type, content: Buffer.from(content).toString('base64') })))};
  const transfer = new DataTransfer();
  for (const { name, type, content } of files) {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type }));
  }
  return transfer;
})()`;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What browsers parse differently from other parsers. */
const HOSTILE = [
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<a href="java&#10;script:alert(1)">x</a><a href="&#1;javascript:alert(1)">y</a>',
  '<noscript><p title="</noscript><script>alert(1)</script>"></noscript>',
  '<template><script>alert(1)</script></template><iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="data:text/html,<script>alert(1)</script>">z</a><form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<img src="https://e.com/](javascript:alert(1))" alt="](javascript:alert(1))">',
];

describeInBrowser('pasting and dropping into a document', () => {
  const dashboard = useDashboard({ IMPORT_LIMIT: '100kb' });
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
    ada = await dashboard.visitor('Ada', 'enterprise');
    page = ada.page;
    content = page.getByRole('textbox', { name: 'Content', exact: true });
    await ada.open('documents');
    dashboard.keepPages();
  };
  const send = async (method: string, route: string, data?: unknown) => {
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1${route}`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const response = await ada.context.request.fetch(url, { method, headers, data });
    if (!response.ok()) throw new Error(await response.text());
    return response;
  };
  const call = async (method: string, route: string, data?: unknown): Promise<any> =>
    ((await (await send(method, route, data)).json()) as { data: unknown }).data;
  const open = async (text: string) => {
    const { id: created } = await call('POST', '/documents', { title: 'Text', content: text });
    id = created as string;
    await page.evaluate(openInApp(`/dashboard/${ada.accountId}/documents/${id}`));
    await page.waitForURL(new RegExp(id));
    await content.focus();
    await page.keyboard.press('Control+End');
  };
  /** Opens a document on a page of its own, whose tools do not arrive before `release`. */
  const openWithoutTools = async (text: string) => {
    const { id: created } = await call('POST', '/documents', { title: 'T', content: text });
    id = created as string;
    const own = await ada.context.newPage();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await own.route('**/writing-tools-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await own.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${id}`);
    return { own, text: own.getByRole('textbox', { name: 'Content', exact: true }), release };
  };
  /** Saves until the document is stored like this: a paste may take a moment. */
  const saved = async (expected: string) => {
    const text = await eventually(
      async () => {
        await page.keyboard.press('Control+s');
        return ((await call('GET', `/documents/${id}`)) as { content: string }).content;
      },
      (found) => found === expected,
    ).catch(async () => ((await call('GET', `/documents/${id}`)) as { content: string }).content);
    expect(text).toBe(expected);
  };
  const paste = async (copied: Copied, key = 'Control+v') => {
    await page.evaluate(copy(copied));
    await page.keyboard.press(key);
  };
  /** Returns what other programs find on the clipboard. Browsers may put the HTML into a page. */
  const clipboard = async () => {
    const { html, text } = await page.evaluate<{ html: string; text: string }>(`(async () => {
      const [item] = await navigator.clipboard.read();
      const of = async (type) => (await item.getType(type)).text();
      return { html: await of('text/html'), text: await of('text/plain') };
    })()`);
    return {
      html:
        /<body>(?:<!--StartFragment-->)?([^]*?)(?:<!--EndFragment-->)?<\/body>/.exec(html)?.[1] ??
        html,
      text,
    };
  };
  const notice = (words: string | RegExp) => page.getByRole('alert').getByText(words);
  const dismissNotices = async () => {
    for (const close of await page.getByRole('button', { name: 'Dismiss message' }).all())
      await close.click({ timeout: 1_000 }).catch(() => undefined);
    await content.focus();
  };
  /** Drops files on the lower or upper edge of a line, which is found by its text. */
  const drop = async (
    files: readonly TestFile[],
    line?: string,
    edge: 'top' | 'bottom' = 'bottom',
  ) => {
    const target = line === undefined ? content : content.locator('> *', { hasText: line });
    const box = await target.first().boundingBox();
    if (!box) throw new Error('There is no such line.');
    const at = {
      clientX: box.x + 10,
      clientY: edge === 'top' ? box.y + 1 : box.y + box.height - 1,
    };
    const dataTransfer = await page.evaluateHandle(transferOf(files));
    await content.dispatchEvent('dragenter', { dataTransfer, ...at });
    await eventually(
      async () => {
        await content.dispatchEvent('dragover', { dataTransfer, ...at });
        return content.locator('[data-drop-line]').count();
      },
      (lines) => lines === 1,
    );
    await content.dispatchEvent('drop', { dataTransfer, ...at });
  };

  it('the clipboards of other programs become right Markdown', async () => {
    const names = readdirSync(CLIPBOARDS).filter((file) => file.endsWith('.md'));
    expect(names.length).toBeGreaterThan(12);
    for (const name of names) {
      const expected = readFileSync(path.join(CLIPBOARDS, name), 'utf8').trimEnd();
      const html = readFileSync(path.join(CLIPBOARDS, name.replace('.md', '.html')), 'utf8');
      await open('');
      await paste({ html, text: 'only the text' });
      await saved(expected);
    }
    await notice("1 image was left out: documents can't contain image files yet.").waitFor();
    await dismissNotices();
  });

  it('character references are read as elsewhere, though the browser decodes them', async () => {
    for (const text of [
      '&copy; &notit; &nbsp; &semi; &Tab;x',
      'a=1&copy;=2&notit;&amp;lt;',
      '&#65;&lt;copy>',
    ]) {
      const escaped = text.replaceAll('&', '&amp;');
      const html = `<p>${escaped} <b>b</b> <a href="https://e.com/?${escaped.replaceAll(' ', '')}">x</a> <code>${escaped}</code></p>`;
      const markdown = writeMarkdown(readHtml(html, { embeddedImages: 'describe' }).text);
      expect(markdown).toContain('copy');
      await open('');
      await paste({ html, text: 'x' });
      await saved(markdown);
    }
  });

  it('one paste is one undo step, and typing goes on behind it', async () => {
    await open('Start');
    await page.keyboard.type(' now ');
    await paste({ html: '<p>with <b>bold</b></p><p>and <i>more</i></p>', text: 'plain' });
    await eventually(
      () => content.innerText(),
      (text) => text.includes('more'),
    );
    await page.keyboard.type(' on');
    await saved('Start now with **bold**\n\nand *more* on');
    await page.keyboard.press('Control+z');
    await saved('Start now with **bold**\n\nand *more*');
    await page.keyboard.press('Control+z');
    await saved('Start now');
    await page.keyboard.press('Control+y');
    await saved('Start now with **bold**\n\nand *more*');
  });

  it('what is typed while the first paste is loading stays behind it', async () => {
    const fresh = await ada.context.newPage();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await fresh.route(/html-to-markdown/, async (route) => {
      await held;
      await route.continue();
    });
    await open('');
    await fresh.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${id}`);
    await fresh.getByRole('textbox', { name: 'Content', exact: true }).click();
    const request = fresh.waitForRequest(/html-to-markdown/);
    await fresh.evaluate(copy({ html: 'a <b>b</b>', text: 'a b' }));
    await fresh.keyboard.press('Control+v');
    await request;
    await fresh.keyboard.type(' typed');
    release();
    await fresh.getByText('a b typed').waitFor();
    await fresh.keyboard.press('Control+s');
    await saved('a **b** typed');
    await fresh.close();
  });

  it('plain text goes in by Ctrl+Shift+V, into code, and for code or one style', async () => {
    const copied = { html: '<h1>Head</h1><p>a <b>b</b></p>', text: 'Head *a*' };
    await open('');
    await paste(copied, 'Control+Shift+V');
    await saved('Head \\*a\\*');
    await open('```\ncode\n```');
    await content.getByText('code').click();
    await page.keyboard.press('End');
    await paste({ ...copied, text: '1\n  **2**' });
    await saved('```\ncode1\n  **2**\n```');
    await open('say `a code b` now');
    await content.getByText('a code b').dblclick();
    await paste({ html: '<b>1</b> 2', text: '*1*\n2' });
    await saved('say `a *1* 2 b` now');
    await open('<div>\nword\n</div>');
    await content.getByText('word').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+End');
    await paste({ html: '<b>1</b>', text: '<p>' });
    await saved('<p>\nword\n</div>');
    await open('');
    const html = readFileSync(path.join(CLIPBOARDS, 'vs-code.html'), 'utf8');
    await paste({ html, text: "const a = ['*'];\n\n    run(a);" });
    await saved("```\nconst a = ['*'];\n\n    run(a);\n```");
    await open('');
    await paste({ html: '<span style="font-weight: 700">2*3*4</span>', text: '2*3*4' });
    await saved('2\\*3\\*4');
  });

  it('Markdown becomes formatted, and any other text keeps its characters and lines', async () => {
    const markdown =
      '## Plan\n\n- [ ] **one**\n- two\n\n| A | B |\n| :-- | --- |\n| 1 | `2` |\n\n```js\na(b);\n```';
    await open('start');
    await paste({ text: `\r\n${markdown.replaceAll('\n', '\r\n')}` });
    await saved(`start\n\n${markdown}`);
    await content.getByRole('heading', { name: 'Plan' }).waitFor();
    await page.keyboard.press('Control+z');
    await saved('start');
    await page.keyboard.press('Control+a');
    await paste({ text: 'Ada Lovelace\nC:\\*.txt and 2*3*4\n\nמכתב\nשלום' });
    await saved('Ada Lovelace\\\nC:\\\\\\*.txt and 2\\*3\\*4\n\nמכתב\\\nשלום');
    await page.keyboard.type('!');
    await saved('Ada Lovelace\\\nC:\\\\\\*.txt and 2\\*3\\*4\n\nמכתב\\\nשלום!');
  });

  it('what is copied here comes back whole, and other programs get HTML and Markdown', async () => {
    const original = [
      '# Head *it*',
      'a **b** `c` ~~d~~ [e](https://e.com "T")\\\nf ![g](https://e.com/g.png) <br> h[^1]',
      '* one\n  1. two\n  2. - [x] three\n\n     more',
      '| A | B |\n| --- | ---: |\n| 1 \\| **2** | 3<br>4 |',
      '> quote\n>\n> ```js\n> if (a)\n>   b();\n> ```',
      '<div align="center">\nx\n</div>',
      '---',
      'שלום **עולם**',
      '[^1]: note',
    ].join('\n\n');
    await open(original);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+x');
    await saved('');
    await page.keyboard.press('Control+v');
    await saved(original);
    await page.keyboard.press('Control+z');
    await saved('');
    await page.keyboard.press('Control+z');
    await saved(original);

    await open(
      '- [x] **done** [e](https://e.com)\n- [ ] open\n\n| A | B |\n| --- | --: |\n| 1 | 2 |\n\nשלום',
    );
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    expect(await clipboard()).toEqual({
      html: [
        '<ul><li>☑ <strong>done</strong> <a href="https://e.com/">e</a></li><li>☐ open</li></ul>',
        '<table border="1"><tbody><tr><th><p>A</p></th><th align="right"><p>B</p></th></tr>',
        '<tr><td><p>1</p></td><td align="right"><p>2</p></td></tr></tbody></table><p dir="rtl">שלום</p>',
      ].join(''),
      text: '- [x] **done** [e](https://e.com)\n- [ ] open\n\n| A | B |\n| --- | ---: |\n| 1 | 2 |\n\nשלום',
    });

    await open('say **all these** words');
    await content.getByText('these').dblclick();
    await page.keyboard.press('Control+c');
    expect(await clipboard()).toEqual({ html: '<strong>these</strong>', text: 'these' });
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' ');
    await page.keyboard.press('Control+v');
    await saved('say **all these** words **these**');
    await page.keyboard.press('Control+Shift+V');
    await saved('say **all these** words **these**these');

    await open('| A | B |\n| --- | --- |\n| one | **two** |\n| three | four |');
    const two = await content.getByText('two').boundingBox();
    await content.getByText('one').hover();
    await page.mouse.down();
    await page.mouse.move((two?.x ?? 0) + 5, (two?.y ?? 0) + 5, { steps: 5 });
    await page.mouse.up();
    await content.locator('.selectedCell').nth(1).waitFor();
    await page.keyboard.press('Control+c');
    await content.getByText('three').click();
    await page.keyboard.press('Control+v');
    await saved('| A | B |\n| --- | --- |\n| one | **two** |\n| one | **two** |');
    await page.keyboard.press('Control+z');
    await saved('| A | B |\n| --- | --- |\n| one | **two** |\n| three | four |');
  });

  it('a paste stays in its table cell, replaces the selection, and an address makes the selection a link', async () => {
    await open('| A | B |\n| --- | --- |\n| one | two |');
    await content.getByText('one').click();
    await page.keyboard.press('End');
    await paste({ html: '<p>a | <b>b</b></p><ul><li>c</li></ul>', text: 'x' });
    await saved('| A | B |\n| --- | --- |\n| onea \\| **b**<br>• c | two |');
    await paste({ text: ' d\n| e' });
    await saved('| A | B |\n| --- | --- |\n| onea \\| **b**<br>• c d<br>\\| e | two |');

    await open('see this now');
    await content.getByText('see this').dblclick({ position: { x: 40, y: 12 } });
    const selected = await page.evaluate<string>('getSelection().toString()');
    expect(selected).toBe('this');
    await paste({ html: '<a href="https://e.com/">https://e.com/</a>', text: 'https://e.com/' });
    await saved('see [this](https://e.com/) now');
    await page.keyboard.press('Control+a');
    await paste({ html: '<ul><li>a</li><li><b>b</b></li></ul>', text: 'x' });
    await saved('- a\n- **b**');
  });

  it('very long HTML goes in as text, and the reader is told; images and scripts never go in', async () => {
    await open('');
    const html = `<p>a <b>b</b></p>${'<p><i>words</i></p>'.repeat(15_000)}`;
    await paste({ html, text: 'the text' });
    await notice(
      'Formatting was left out: the text is very long. Import it as a file to keep it.',
    ).waitFor();
    await saved('the text');
    await dismissNotices();

    // Styles, comments and data are no text.
    const padding = `<!--${'x'.repeat(300_000)}--><img src="data:image/png;base64,${'A'.repeat(300_000)}">`;
    await open('');
    await paste({ html: `${padding}a <b>b</b><script>alert(1)</script>`, text: 'x' });
    await saved('a **b**');
    await notice(/^1 image was left out/).waitFor();
    await dismissNotices();

    await open('');
    const image = `new Blob([Uint8Array.from(atob('${PIXEL.toString('base64')}'), (one) => one.charCodeAt(0))], { type: 'image/png' })`;
    await page.evaluate(
      `navigator.clipboard.write([new ClipboardItem({ 'image/png': ${image} })])`,
    );
    await page.keyboard.press('Control+v');
    await notice(/^image\.png wasn't added: documents can't contain image files yet\.$/).waitFor();
    await page.keyboard.type('still');
    await saved('still');
    await dismissNotices();

    await open('');
    for (const html of HOSTILE) {
      await paste({ html: `<p><b>a</b> b</p>${html}`, text: 'x' });
      await page.keyboard.type(' end ');
    }
    const text = await eventually(
      async () => {
        await page.keyboard.press('Control+s');
        return call('GET', `/documents/${id}`) as Promise<{ content: string }>;
      },
      (found) => found.content.split('**a**').length > HOSTILE.length,
    );
    expect(dangersIn(text.content)).toEqual([]);
  });

  it('pictures beside a text: a rendering of it is no image, any other is refused while the text goes in', async () => {
    const pasteWithFile = (copied: Copied) =>
      page.evaluate(`(() => {
          const clipboardData = ${transferOf([{ name: 'image.png', type: 'image/png', content: PIXEL }])};
          for (const [type, data] of Object.entries(${JSON.stringify(copied)}))
            clipboardData.setData('text/' + type.replace('text', 'plain'), data);
          document.activeElement.dispatchEvent(
            new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData }));
        })()`);
    await open('');
    // Notices of the test before may still be closing.
    await dismissNotices();
    await eventually(
      () => page.getByRole('alert').count(),
      (count) => count === 0,
    );
    await pasteWithFile({ html: '<table><tr><td>A<td>B</table>', text: 'A\tB' });
    await saved('| A | B |\n| --- | --- |');
    expect(await page.getByRole('alert').count()).toBe(0);
    await open('');
    await pasteWithFile({ text: 'words' });
    await notice("image.png wasn't added: documents can't contain image files yet.").waitFor();
    await saved('words');
    await dismissNotices();
  });

  it('without the server, the text of a paste goes in, and the reader is told', async () => {
    const fresh = await ada.context.newPage();
    await open('');
    await fresh.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${id}`);
    await fresh.getByRole('textbox', { name: 'Content', exact: true }).click();
    await fresh.route(/html-to-markdown/, (route) => route.abort());
    await fresh.evaluate(copy({ html: 'a <b>b</b>', text: 'a b' }));
    await fresh.keyboard.press('Control+v');
    await fresh
      .getByRole('alert')
      .getByText("Formatting was left out: the server can't be reached.")
      .waitFor();
    await fresh.keyboard.press('Control+s');
    await saved('a b');
    await fresh.close();
  });

  it('while the tools cannot be loaded, pasted text goes in by the same rules, and Markdown becomes blocks', async () => {
    const fresh = await ada.context.newPage();
    const told = () =>
      fresh.getByRole('alert').getByText("Couldn't paste with formatting").first().waitFor();
    await open('');
    await fresh.route(/writing-tools/, (route) => route.abort());
    await fresh.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${id}`);
    await fresh.getByRole('textbox', { name: 'Content', exact: true }).click();
    await fresh.evaluate(copy({ text: '# comment\r\nrm *.tmp *.log\r\n' }));
    await fresh.keyboard.press('Control+v');
    await told();
    await fresh.keyboard.press('Control+s');
    await saved('\\# comment\\\nrm \\*.tmp \\*.log');
    await fresh.keyboard.press('Enter');
    await fresh.evaluate(copy({ text: '## Plan\n\n- one\n' }));
    await fresh.keyboard.press('Control+v');
    await fresh.getByRole('heading', { name: 'Plan' }).waitFor();
    await fresh.keyboard.press('Control+s');
    await saved('\\# comment\\\nrm \\*.tmp \\*.log\n\n## Plan\n\n- one');
    await fresh.close();
  });

  it('Markdown, text, HTML and Word files go in where they are dropped, in their order', async () => {
    const made = (await call('POST', '/documents', {
      title: 'Plan',
      content: '# Plan\n\n- one\n  - two\n\n1. first\n\n| A | B |\n| --- | --- |\n| 1 | 2 |',
    })) as { id: string };
    const docx = await (await send('GET', `/documents/${made.id}/export?format=docx`)).body();
    await open('one\n\n- two\n- three\n\nfour');
    await drop(
      [
        { name: 'plan.docx', content: docx },
        { name: 'notes.md', content: '## Notes\r\n\r\n*text*\r\n' },
        { name: 'photo.png', type: 'image/png', content: PIXEL },
        {
          name: 'page.html',
          type: 'text/html',
          content: '<title>T</title><h2>Page</h2><ul><li>x</ul>',
        },
        { name: 'data.zip', content: 'PK' },
      ],
      'three',
    );
    const added = [
      '# Plan\n\n- one\n  - two\n\n1. first\n\n| A | B |\n| --- | --- |\n| 1 | 2 |',
      '## Notes\n\n*text*',
      '## Page\n\n- x',
    ].join('\n\n');
    await saved(`one\n\n- two\n- three\n\n${added}\n\nfour`);
    await notice("photo.png wasn't added: documents can't contain image files yet.").waitFor();
    await notice(
      "data.zip wasn't added: only Markdown, text, HTML and Word (DOCX) files can be.",
    ).waitFor();
    expect(await content.locator('[data-transfer]').count()).toBe(0);
    await dismissNotices();

    // Each file is an undo step. A second one lands before everything.
    for (let files = 0; files < 3; files += 1) await page.keyboard.press('Control+z');
    await saved('one\n\n- two\n- three\n\nfour');
    await drop([{ name: 'a.txt', content: 'zero\n' }], 'one', 'top');
    await saved('zero\n\none\n\n- two\n- three\n\nfour');
  });

  it('a file that is dropped before anything else is loaded goes in too', async () => {
    await open('one');
    const fresh = await ada.context.newPage();
    await fresh.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${id}`);
    const text = fresh.getByRole('textbox', { name: 'Content', exact: true });
    await text.getByText('one').waitFor();
    const box = await text.locator('p').boundingBox();
    const at = { clientX: box?.x ?? 0, clientY: (box?.y ?? 0) + (box?.height ?? 0) - 1 };
    const file = { name: 'page.html', content: '<h2>Page</h2>' };
    const dataTransfer = await fresh.evaluateHandle(transferOf([file]));
    await text.dispatchEvent('drop', { dataTransfer, ...at });
    await text.getByText('Page').waitFor();
    await fresh.keyboard.press('Control+s');
    await saved('one\n\n## Page');
    await fresh.close();
  });

  it('a paste waits for its tools on a slow line, where the caret was', async () => {
    const { own, text, release } = await openWithoutTools('start\n\nend');
    await text.getByText('start').click();
    await own.keyboard.press('End');
    await own.evaluate(copy({ html: '<p>a <b>bold</b> word</p>', text: 'a bold word' }));
    await own.keyboard.press('Control+v');
    await own.keyboard.press('Control+End');
    await own.keyboard.type('!');
    release();
    await text.getByText('bold').waitFor();
    await own.keyboard.type('?');
    await own.keyboard.press('Control+s');
    await saved('starta **bold** word\n\nend!?');
    await own.close();
  });

  it('a key moves the caret, also if the tools arrive before the browser reports the move', async () => {
    const { own, text, release } = await openWithoutTools('start');
    await text.focus();
    await caretSettled(own);
    await own.evaluate(`window.addEventListener(
      'selectionchange',
      (event) => { if (event.isTrusted) event.stopImmediatePropagation(); },
      { capture: true },
    )`);
    await own.keyboard.press('Control+End');
    release();
    await own.locator('[data-tools=ready]').waitFor();
    await own.keyboard.type('!');
    await own.keyboard.press('Control+s');
    await saved('start!');
    await own.close();
  });

  it('a paste goes in as plain text if its tools cannot be loaded, and the next one with formatting', async () => {
    const { id: created } = await call('POST', '/documents', { title: 'T', content: 'start' });
    id = created as string;
    const own = await ada.context.newPage();
    await own.route('**/writing-tools-*.js', (route) => route.abort());
    await own.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/documents/${id}`);
    const text = own.getByRole('textbox', { name: 'Content', exact: true });
    await text.click();
    await own.keyboard.press('Control+End');
    await own.evaluate(copy({ html: '<p>a <b>bold</b> word</p>', text: 'a bold word' }));
    await own.keyboard.press('Control+v');
    await own.getByRole('alert').getByText("Couldn't paste with formatting").waitFor();
    await own.keyboard.press('Control+s');
    await saved('starta bold word');
    await own.close();
  });

  it('a file makes a new document', async () => {
    await page.evaluate(openInApp(`/dashboard/${ada.accountId}/documents/new`));
    await page.waitForURL(/\/new$/);
    await editorReady(page);
    await drop([{ name: 'notes.md', content: '# My notes\n\ntext' }]);
    await page.waitForURL(/doc_/);
    id = /doc_\w+/.exec(page.url())?.[0] ?? '';
    await saved('# My notes\n\ntext');
    expect(await page.getByLabel('Title').inputValue()).toBe('My notes');
  });

  it('a file that fails stays with the reason, and can be tried again, cancelled and dismissed', async () => {
    await open('one');
    const made = (await call('POST', '/documents', { title: 'W', content: 'from Word' })) as {
      id: string;
    };
    const docx = await (await send('GET', `/documents/${made.id}/export?format=docx`)).body();
    const card = content.locator('[data-transfer]');

    await drop([{ name: 'big.docx', content: Buffer.alloc(200 * 1024) }], 'one');
    await card.getByText("big.docx wasn't added. The file is larger than 100 KB.").waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.waitFor({ state: 'detached' });
    await drop([{ name: 'broken.docx', content: 'none' }], 'one');
    await card.getByText(/^broken\.docx wasn't added\. The file is /).waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.waitFor({ state: 'detached' });

    let isUnavailable = true;
    await page.route(/documents\/import/, (route) =>
      isUnavailable ? route.abort() : route.continue(),
    );
    await drop([{ name: 'w.docx', content: docx }], 'one');
    await card.getByText("w.docx wasn't added. The server can't be reached.").waitFor();
    await page.keyboard.type(' and typed');
    isUnavailable = false;
    // By keyboard.
    await page.keyboard.press('Tab');
    await card.locator('button:focus', { hasText: 'Try again' }).waitFor();
    await page.keyboard.press('Enter');
    await card.waitFor({ state: 'detached' });
    await saved('one and typed\n\nfrom Word');
    await page.unroute(/documents\/import/);

    // Cancelled while it is converted.
    await page.route(/documents\/import/, () => undefined);
    const request = page.waitForRequest(/documents\/import/);
    await drop(
      [
        { name: 'w.docx', content: docx },
        { name: 'next.md', content: 'next' },
      ],
      'from Word',
    );
    await request;
    await card.getByText('Converting w.docx…').waitFor();
    await card.getByText('Reading next.md…').waitFor();
    expect(await content.getByText('next', { exact: true }).count()).toBe(0);
    await card.first().getByRole('button', { name: 'Cancel' }).click();
    await card.first().waitFor({ state: 'detached' });
    await saved('one and typed\n\nfrom Word\n\nnext');
    await page.unroute(/documents\/import/);
  });

  it('a file that is dropped beside the text does not replace the page', async () => {
    await open('text');
    const areStopped = await page.evaluate(`(() => {
      const dataTransfer = ${transferOf([{ name: 'a.md', content: 'a' }])};
      const options = { bubbles: true, cancelable: true, composed: true, dataTransfer };
      const title = document.querySelector('[aria-label=Title]');
      return ['dragover', 'drop'].map((type) => !title.dispatchEvent(new DragEvent(type, options)));
    })()`);
    expect(areStopped).toEqual([true, true]);
    await saved('text');
  });
});
