import type { Locator, Page } from 'playwright-core';
import {
  accessibilityFindings,
  COLOR_RULES,
  describeInBrowser,
  isSecondTry,
  useDashboard,
  waitForValue,
} from './support/dashboard.js';

describeInBrowser('the reference page at /docs/try', () => {
  const service = useDashboard();
  /** Loading and rendering all operations takes seconds of CPU time, so most tests share one page. */
  let shared: Page;
  const openShared = async () => {
    shared = await openPage();
    const { key } = await service.app.account();
    await shared.getByLabel('API key').fill(key);
    await shared.getByLabel('API key').blur();
    service.keepPages();
  };
  beforeAll(async () => {
    await openShared();
  });
  beforeEach(async () => {
    if (isSecondTry()) await openShared();
    await shared.setViewportSize({ width: 1280, height: 800 });
    await shared.emulateMedia({ colorScheme: 'light' });
  });

  async function openPage(): Promise<Page> {
    const page = await service.stranger();
    // The page loads 1.7 MB of scripts, which takes a while on a busy machine.
    page.setDefaultTimeout(60_000);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${service.app.origin}/docs/try`);
    await page.locator('.opblock').first().waitFor();
    return page;
  }

  it('the reference page at /docs/try fits the screen at each width, shows an operation at once and has no serious accessibility barrier', async () => {
    await tryOut(await choose(shared, 'documents', 'listDocuments'));
    for (const width of [1280, 768, 375]) {
      await shared.setViewportSize({ width, height: 800 });
      await shared.waitForFunction(`document.documentElement.scrollWidth === ${String(width)}`);
      const top = await shared.locator('.opblock').first().boundingBox();
      const scrolled = await shared.evaluate<number>('scrollY');
      expect((top?.y ?? NaN) + scrolled).toBeLessThan(700);
      expect([width, await accessibilityFindings(shared)]).toEqual([width, []]);
    }
    await shared.setViewportSize({ width: 1280, height: 800 });
    await shared.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFindings(shared, COLOR_RULES)).toEqual([]);
  });

  it('the reference page at /docs/try shows examples of optional fields in words and leaves the fields empty', async () => {
    const create = await choose(shared, 'documents', 'createDocument');
    const row = create.locator('[data-param-name="Idempotency-Key"]');
    await row.getByText('Example:').waitFor();
    await beginTryOut(create);
    expect(await row.getByRole('textbox').inputValue()).toBe('');
  });

  it('the reference page at /docs/try sends each form as it is: a list, a create, the same create, a change and a read', async () => {
    expect(await tryOut(await choose(shared, 'documents', 'listDocuments'))).toBe(200);
    const create = await choose(shared, 'documents', 'createDocument');
    expect(await tryOut(create)).toBe(201);
    expect(await tryOut(create)).toBe(201);
    expect(await tryOut(await choose(shared, 'documents', 'patchDocument'))).toBe(200);
    expect(await tryOut(await choose(shared, 'documents', 'readDocument'))).toBe(200);
  });

  it('the reference page at /docs/try shows the events that webhooks receive', async () => {
    await shared.getByRole('link', { name: 'document.created' }).click();
    await shared.locator('.webhooks .opblock.is-open').waitFor();
  });

  it('the reference page at /docs/try finds operations by words, using only the keyboard', async () => {
    await shared.keyboard.press('/');
    await shared.keyboard.type('rotate secret');
    await shared.keyboard.press('Enter');
    await shared.locator('#operations-webhooks-rotateWebhookSecret .opblock-body').waitFor();
    await shared
      .getByRole('status')
      .last()
      .getByText(/^\d found$/)
      .waitFor();
  });

  it('the reference page at /docs/try keeps the key across a reload, only for this tab', async () => {
    const key = await shared.getByLabel('API key').inputValue();
    expect(key).not.toBe('');
    await shared.reload();
    await waitForValue(shared.getByLabel('API key'), key);
    const other = await shared.context().newPage();
    await other.goto(`${service.app.origin}/docs/try`);
    await other.locator('.opblock').first().waitFor();
    expect(await other.getByLabel('API key').inputValue()).toBe('');
    await other.close();
  });
});

/** Opens an operation through its link in the sidebar. */
async function choose(page: Page, tag: string, operationId: string): Promise<Locator> {
  const link = page.locator(`nav a[href="#/${tag}/${operationId}"]`);
  if (!(await link.isVisible())) await page.getByText('All operations').click();
  await link.click();
  const operation = page.locator(`#operations-${tag}-${operationId}`);
  await operation.locator('.opblock-body').waitFor();
  return operation;
}

/** Shows the form of an operation. Returns the button that sends it. */
async function beginTryOut(operation: Locator): Promise<Locator> {
  const begin = operation.getByRole('button', { name: 'Try it out' });
  const execute = operation.getByRole('button', { name: 'Execute' });
  await begin.or(execute).first().waitFor();
  if (await begin.isVisible()) await begin.click();
  await execute.waitFor();
  return execute;
}

/** Sends the form as it stands; the status of the answer. */
async function tryOut(operation: Locator): Promise<number> {
  const execute = await beginTryOut(operation);
  const id = operation.locator('[data-param-in="path"] input');
  if ((await id.count()) > 0) await operation.locator('input[value^="doc_"]').waitFor();
  const answered = operation
    .page()
    .waitForResponse((response) => /\/v1\/documents(?!\?limit=100&)/.test(response.url()));
  await execute.click();
  return (await answered).status();
}
