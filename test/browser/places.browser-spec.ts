import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { drillCases, isFullDrill } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import type { Page } from 'playwright-core';
import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  isSecondTry,
  loadAxe,
  openInApp,
  useDashboard,
} from './support/dashboard.js';
import {
  addressOf,
  dialogsOf,
  furnishedAccount,
  placesOf,
  type FurnishedAccount,
} from './support/furnished-account.js';

/** Widths of phones, in px. What fits on the narrowest one fits on the others, unless there is a breakpoint between them. */
const PHONES = drillCases([360, 320], (width) => width === 320);
const PARTS = 4;

interface Stop {
  address: string;
  /** The dialog that the address opens, and the page behind it. */
  dialog?: { page: string; title: string };
}

/** The page of a document has its own tests. */
const OF_OTHERS = /documents\/(?:new|doc_)/;

const DESKTOP = { width: 1_280, height: 800 };

/** Runs in the page. Table frames become focusable regions once they have been measured. */
const FRAMES_ARE_MEASURED = `(async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
})()`;

/**
 * Runs in the page. Names everything that is wider than the viewport, or that scrolls sideways without being a table or
 * code.
 */
const TOO_WIDE = `(async () => {
  await ${FRAMES_ARE_MEASURED};
  const found = [];
  const name = (element) => element.tagName.toLowerCase() + '.' + element.className + ' ' +
    (element.textContent ?? '').slice(0, 30);
  const { scrollWidth } = document.scrollingElement;
  if (scrollWidth > innerWidth) found.push('the page is ' + scrollWidth + ' px wide');
  for (const element of document.body.querySelectorAll('*')) {
    const { overflowX } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1 &&
        !element.matches('[role=region], pre, textarea')) found.push('scrolls: ' + name(element));
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0 || (right <= innerWidth + 1 && left >= -1)) continue;
    let around = element.parentElement;
    while (around && getComputedStyle(around).overflowX === 'visible') around = around.parentElement;
    if (!around || around === document.body) found.push('outside: ' + name(element));
  }
  return found.slice(0, 5);
})()`;

/** Runs in the page. Names every control that is too small to be touched. Links in a text are as high as its lines. */
const TOO_SMALL = `(() => {
  const controls = 'button, select, summary, textarea, [role=tab], [role=menuitem], nav a, ' +
    'input:not([type=checkbox], [type=radio], .mantine-PasswordInput-innerInput)';
  const found = [...document.body.querySelectorAll(controls)].filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    const isShown = width > 2 && height > 2 && !element.closest('.visually-hidden');
    return isShown && Math.min(width, height) < 39.5;
  });
  return found.slice(0, 5).map((element) =>
    'smaller than 40 px: ' + (element.getAttribute('aria-label') ?? element.textContent).slice(0, 30));
})()`;

/** Waits until all requests have finished. */
async function settle(page: Page): Promise<void> {
  const isSettled = `document.querySelector('h1, [role=dialog]') !== null &&
    document.querySelector('[aria-busy=true]') === null`;
  await eventually(
    () => page.evaluate<boolean>(isSettled),
    (settled) => settled,
  );
  await page.evaluate(FRAMES_ARE_MEASURED);
}

describeInBrowser('Every page, panel and dialog of the dashboard', () => {
  const dashboard = useDashboard();
  let account: FurnishedAccount;
  const furnish = async () => {
    account = await furnishedAccount(dashboard);
    await loadAxe(account.page);
    dashboard.keepPages();
  };
  beforeAll(async () => {
    await furnish();
  });
  beforeEach(async () => {
    if (isSecondTry()) await furnish();
    await account.page.setViewportSize(DESKTOP);
  });

  /** Opens pages and, by title, dialogs on them. */
  const walk = async (page: Page, stops: readonly Stop[]) => {
    const findings: string[] = [];
    let last: Stop['dialog'];
    for (const stop of stops) {
      const { address, dialog } = stop;
      await page.setViewportSize(DESKTOP);
      // The next dialog of a page opens on the loaded page, unless it has the same title, so that waiting would have no
      // effect.
      const isSamePage = dialog !== undefined && last?.page === dialog.page;
      if (isSamePage && last?.title !== dialog.title) await page.evaluate(openInApp(address));
      else await page.goto(address);
      if (dialog !== undefined) {
        await page.getByRole('dialog', { name: dialog.title, exact: true }).waitFor();
      }
      last = dialog;
      await settle(page);
      // The page behind a dialog has a separate stop.
      const within = dialog !== undefined && !isFullDrill ? '[role=dialog]' : undefined;
      const found = await accessibilityFindingsInBothSchemes(page, within);
      if ((await page.locator('main').count()) !== 1) found.push('has no main landmark');
      for (const width of PHONES) {
        await page.setViewportSize({ width, height: 740 });
        const wide = await page.evaluate<string[]>(TOO_WIDE);
        const small = OF_OTHERS.test(address) ? [] : await page.evaluate<string[]>(TOO_SMALL);
        found.push(...[...wide, ...small].map((line) => `${String(width)} px: ${line}`));
      }
      const { pathname, search } = new URL(address);
      findings.push(...found.map((line) => `${pathname.slice(10)}${search} ${line}`));
    }
    return findings;
  };

  const part = (index: number) => () => {
    const places = placesOf(account).map((place) => ({ address: addressOf(account, place) }));
    const dialogs = dialogsOf(account).map(({ page, dialog, title }) => ({
      address: addressOf(account, page, dialog),
      dialog: { page, title },
    }));
    const all = [...places, ...dialogs];
    return all.slice((index * all.length) / PARTS, ((index + 1) * all.length) / PARTS);
  };

  // Split into parts that a busy machine can finish in time.
  it.each(Array.from({ length: PARTS }, (_, index) => [index + 1, part(index)] as const))(
    'Every page, panel and dialog of the dashboard has no axe-core finding of any severity in both color schemes, and fits on a phone: part %i',
    async (_, stops) => {
      await account.open('overview');
      expect(await walk(account.page, stops())).toEqual([]);
    },
  );

  it('Every page, panel and dialog of the dashboard has no axe-core finding before sign-in either', async () => {
    const stranger = await dashboard.stranger();
    await loadAxe(stranger);
    const addresses = ['sign-in', 'sign-up', 'password', 'invitation', 'nonsense'].map((path) => ({
      address: `${dashboard.app.origin}/dashboard/${path}`,
    }));
    expect(await walk(stranger, addresses)).toEqual([]);
  });

  it('Every page, panel and dialog of the dashboard disables what a role cannot do, with a reason, even if the role is lowered in the meantime', async () => {
    const { ids, accountId } = account;
    const { page } = account.colleague;
    /** Page, button or "menu > item", and the lowest role that may press it. */
    const actions = [
      ['documents', 'Import documents', 'member'],
      ['documents', 'New document', 'member'],
      ['documents', /^Actions for /, 'member', 'Delete document'],
      ['templates', 'New template', 'member'],
      ['templates', /^Actions for Donau/, 'member', 'Delete template'],
      [`templates/${ids.template}`, 'Delete template', 'member'],
      [`templates/${ids.template}`, 'Use template', 'member'],
      [`templates/${ids.template}`, 'Add variable', 'member'],
      [`documents/${ids.document}?panel=details`, 'Add metadata', 'member'],
      ['keys', 'Create key', 'admin'],
      ['keys?tab=service-accounts', 'Create service account', 'admin'],
      ['webhooks', 'Create webhook', 'admin'],
      [`webhooks/${ids.testWebhook}`, 'Send test event', 'admin'],
      [`webhooks/${ids.testWebhook}`, 'Actions for this webhook', 'admin', 'Rotate secret'],
      [`webhooks/${ids.testWebhook}`, 'Actions for this webhook', 'admin', 'Recover deliveries'],
      [`webhooks/${ids.testWebhook}`, 'Actions for this webhook', 'admin', 'Disable webhook'],
      [`webhooks/${ids.testWebhook}`, 'Actions for this webhook', 'admin', 'Delete webhook'],
      [`webhooks/${ids.testWebhook}?tab=settings`, 'Use test receiver', 'admin'],
      ['audit', 'Export CSV', 'admin'],
      ['jobs', 'Export account', 'owner'],
      ['jobs', 'Import account', 'owner'],
      ['members', 'Invite member', 'admin'],
      ['settings', 'Delete account', 'owner'],
      ['settings', 'Save name', 'owner'],
      ['settings', 'Save connected apps', 'owner'],
      ['settings?tab=analysis', 'Save settings', 'owner'],
      ['settings?tab=dictionary', 'Add words', 'member'],
    ] as const;
    const roles = ['viewer', 'member', 'admin', 'owner'] as const;
    const setRole = (role: string) =>
      dashboard.app.dataSource.query(
        `UPDATE members SET role = $3 FROM users
          WHERE user_id = users.id AND users.email = $2 AND account_id = $1`,
        [decodeId('account', accountId), account.colleague.email, role],
      );
    for (const role of roles.slice(0, 3)) {
      await setRole(role);
      let shown = '';
      // Roles are steps: the last one that may not and the first one that may are enough.
      const tried = drillCases(actions, ([, , least]) =>
        [0, 1].includes(roles.indexOf(least) - roles.indexOf(role)),
      );
      for (const [place, name, least, item] of tried) {
        if (place !== shown) {
          await page.goto(addressOf(account, place));
          await settle(page);
          shown = place;
        }
        let button = page.locator('main').getByRole('button', { name, exact: true }).first();
        if (item !== undefined) {
          await button.click();
          button = page.getByRole('menuitem', { name: item, exact: true });
        }
        const mayNot = roles.indexOf(role) < roles.indexOf(least);
        await button.or(page.getByText("You don't have access")).first().waitFor();
        // People who may not read the changed data see a message about that instead.
        if (mayNot && !(await button.isVisible())) continue;
        const reason = await button.getAttribute('title');
        const found = { role, place, name, isDisabled: await button.isDisabled(), reason };
        if (mayNot)
          expect(found).toMatchObject({
            isDisabled: true,
            reason: expect.stringMatching(/role|owner/i) as string,
          });
        // A form without changes has nothing to save.
        else expect(found.reason).toBeNull();
        if (item !== undefined) await page.keyboard.press('Escape');
      }
    }

    // An open dialog keeps what was typed, and says why it can no longer be submitted.
    await page.goto(addressOf(account, 'keys', 'create-key'));
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name', { exact: true }).fill('Late');
    await dialog.getByRole('button', { name: 'Read only' }).click();
    await setRole('member');
    const submit = dialog.getByRole('button', { name: 'Create key', exact: true });
    await submit.click();
    await dialog.getByRole('alert').getByText("You don't have access").waitFor();
    await dialog.getByText("Your role (member) doesn't include the scope keys:write.").waitFor();
    expect(await submit.isDisabled()).toBe(true);
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Late');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Create key' }).and(page.locator(':disabled')).waitFor();
  });

  it('Every page, panel and dialog of the dashboard opens the list of shortcuts with ?, unless someone is typing', async () => {
    const { page, open } = account;
    await open('documents');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.getByLabel('Search').press('?');
    expect(await page.getByLabel('Search').inputValue()).toBe('?');
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Search').blur();
    await page.keyboard.press('?');
    await list.getByText('Search or jump to', { exact: true }).waitFor();
    await page.goBack();
    await list.waitFor({ state: 'detached' });
    await open(`documents/${account.ids.document}`);
    await page.getByRole('textbox', { name: 'Content', exact: true }).press('?');
    expect(await list.count()).toBe(0);
  });

  it('Every page, panel and dialog of the dashboard reaches the first document with at most 12 presses of Tab, and with the skip link in 4', async () => {
    const { page, open } = account;
    const stopsTo = async (skipLinks: number) => {
      await open('documents');
      await settle(page);
      for (let stop = 0; stop < skipLinks; stop += 1) await page.keyboard.press('Tab');
      if (skipLinks > 0) await page.keyboard.press('Enter');
      for (let stop = 1; stop < 40; stop += 1) {
        await page.keyboard.press('Tab');
        const isDocument = `document.activeElement.matches('tbody a[href*="/documents/doc_"]')`;
        if (await page.evaluate<boolean>(isDocument)) return skipLinks + stop;
      }
      return 40;
    };
    expect(await stopsTo(0)).toBeLessThanOrEqual(12);
    expect(await stopsTo(1)).toBeLessThanOrEqual(12);
    expect(await stopsTo(2)).toBeLessThanOrEqual(4);
  });

  it('Every page, panel and dialog of the dashboard moves with arrows in the navigation, the filters and a list, and returns to the same place', async () => {
    const { page, open } = account;
    const focused = () =>
      page.evaluate<string>(
        `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`,
      );
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused();
    };
    await open('documents?status=draft&type=document');
    await settle(page);
    await page.getByRole('navigation', { name: 'Main' }).getByText('Documents').focus();
    expect(await press('ArrowDown')).toBe('Templates');
    expect(await press('End')).toMatch(/^Docs/);
    expect(await press('Home')).toBe('Overview');
    await page.getByRole('button', { name: 'Status: Draft, remove' }).focus();
    expect(await press('ArrowRight', 'ArrowRight')).toBe('Add filter');
    expect(await press('Tab', 'Shift+Tab')).toBe('Add filter');
    await page.keyboard.press('Enter');
    await eventually(focused, (name) => name.startsWith('Draft'));
    expect(await press('Escape')).toBe('Add filter');
    const titles = page.getByRole('table', { name: 'Documents' }).locator('tbody td a');
    const [first = '', second = ''] = await titles.allInnerTexts();
    expect(await press('Tab')).toBe(first.trim());
    expect(await press('ArrowDown')).toBe(second.trim());
    expect(await press('ArrowLeft')).toBe(`Select ${second.trim()}`);
    expect(await press('ArrowUp')).toBe(`Select ${first.trim()}`);
    expect(await press('ArrowUp')).toBe('Select all on this page');
    expect(await press('ArrowDown', 'ArrowRight', 'Space')).toBe(first.trim());
    await page.getByRole('group', { name: 'Selection' }).getByText('1 document selected').waitFor();
  });

  it('Every page, panel and dialog of the dashboard lists documents in rows of 56 px, with the title in one line of at least 45 % of the width', async () => {
    const { page, open } = account;
    for (const width of [1_024, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      await open('documents');
      await settle(page);
      const table = page.getByRole('table', { name: 'Documents' });
      const { width: all = 0 } = (await table.boundingBox()) ?? {};
      for (const row of await table.locator('tbody tr').all()) {
        const { height = 0 } = (await row.boundingBox()) ?? {};
        expect(Math.abs(height - 56)).toBeLessThanOrEqual(1);
        const title = (await row.locator('td:nth-child(2)').boundingBox())?.width ?? 0;
        expect(title / all).toBeGreaterThanOrEqual(0.45);
      }
    }
  });

  it('Every page, panel and dialog of the dashboard says that another person has signed in in another tab, and opens that person’s pages', async () => {
    const [first, second] = [await dashboard.visitor('Ann First'), await dashboard.visitor('Bob')];
    await first.page.clock.install();
    await first.open('documents');
    const session = `${dashboard.app.origin}/dashboard/api/session`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const { email, password } = second;
    await first.context.request.delete(session, { headers });
    await first.context.request.post(session, { headers, data: { email, password } });
    const { page } = first;
    // The page asks every 15 seconds who has signed in.
    for (const again of [() => page.clock.fastForward(15_000), () => page.reload()]) {
      await again();
      await page.getByRole('heading', { level: 1, name: 'Another user signed in' }).waitFor();
      await page.getByText('Bob (').waitFor();
    }
    await page.getByRole('link', { name: 'Continue as Bob' }).click();
    await page.waitForURL(new RegExp(`${second.accountId}/overview`));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});
