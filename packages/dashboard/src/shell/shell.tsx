import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useContext, useEffect, type ReactNode } from 'react';
import { AccountContext, type CurrentAccount } from '../api/session.js';
import { Icon } from '../components/icons.js';
import { useRovingFocus } from '../components/roving-focus.js';
import { useDialogs } from '../components/use-dialogs.js';
import { AccountMenu } from './account-menu.js';
import { AccountSwitcher } from './account-switcher.js';
import { FormerUserNotice } from './former-user-notice.js';
import { NAVIGATION } from './navigation.js';
import { ProductMark } from '../components/product-mark.js';
import classes from './shell.module.css';
import { useQuestionMark } from './use-question-mark.js';
import { loadPart } from '../load-part.js';

const CommandPalette = lazy(() => loadPart(() => import('./command-palette.js')));
const ShortcutList = lazy(() => loadPart(() => import('./shortcut-list.js')));

/** The event's path contains the text box even if it is in a shadow root. */
function isInEditor(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.isContentEditable;
}

/** Header, navigation and page. */
export function Shell({ children }: { children: ReactNode }) {
  const account = useContext(AccountContext);
  const [navigationOpen, navigation] = useDisclosure(false);
  const dialogs = useDialogs();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const tools = useRovingFocus<HTMLDivElement>();
  const { close } = navigation;
  useEffect(close, [path, close]);
  const togglePalette = () => {
    if (dialogs.dialog === 'commands') void dialogs.close();
    else dialogs.open('commands');
  };
  useHotkeys([['mod+K', togglePalette]], []);
  // In the editor, Ctrl+K is for links.
  useHotkeys(
    [
      ['mod+shift+K', togglePalette],
      [
        'mod+P',
        (event) => {
          if (!isInEditor(event)) return;
          event.preventDefault();
          togglePalette();
        },
        { preventDefault: false },
      ],
    ],
    [],
    true,
  );
  useQuestionMark(() => {
    if (dialogs.dialog === undefined) dialogs.open('shortcuts');
  });

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        To content
      </a>
      {/\/documents$/.test(path) && (
        <a className={classes.skip} href="#list">
          To list
        </a>
      )}
      <header className={classes.head}>
        <ActionIcon
          className={classes.menuButton}
          variant="default"
          aria-label="Menu"
          aria-expanded={navigationOpen}
          onClick={navigation.toggle}
        >
          <Icon name="menu" />
        </ActionIcon>
        <Link className={classes.name} to="/{-$accountId}/overview" aria-label="Document Service">
          <ProductMark className={classes.mark} />
          <span className={classes.productName}>Document Service</span>
        </Link>
        <AccountSwitcher />
        <span className={classes.space} />
        <div className={classes.tools} role="toolbar" aria-label="Tools" {...tools}>
          {account && (
            <Button
              variant="default"
              size="xs"
              className={classes.palette ?? ''}
              leftSection={<Icon name="search" size={14} />}
              onClick={() => {
                dialogs.open('commands');
              }}
            >
              <span className={classes.paletteHint}>Command palette</span>
              <Kbd className={classes.paletteKeys} size="xs" ml={6} aria-hidden="true">
                Ctrl K
              </Kbd>
            </Button>
          )}
          <AccountMenu />
        </div>
      </header>
      <Navigation account={account} isOpen={navigationOpen} />
      <main className={classes.main} id="main" tabIndex={-1}>
        <FormerUserNotice />
        {children}
      </main>
      <Suspense fallback={null}>
        {account && dialogs.dialog === 'commands' && <CommandPalette onClose={dialogs.close} />}
        {dialogs.dialog === 'shortcuts' && <ShortcutList onClose={dialogs.close} />}
      </Suspense>
    </div>
  );
}

interface NavigationProps {
  account: CurrentAccount | undefined;
  /** On phones. */
  isOpen: boolean;
}

/** The links to the pages of the account. The Tab key stops at them once; arrow keys move between them. */
function Navigation({ account, isOpen }: NavigationProps) {
  const roving = useRovingFocus<HTMLElement>({ start: '[aria-current=page]', lines: 'li' });
  return (
    <nav
      className={classes.nav}
      aria-label="Main"
      data-open={isOpen ? true : undefined}
      {...roving}
    >
      {account && (
        <ul className={classes.links}>
          {NAVIGATION.map(({ to, name, icon }) => (
            <li key={to}>
              <Link
                className={classes.link}
                to={to}
                params={{ accountId: account.id }}
                activeOptions={{ includeSearch: false }}
              >
                <Icon name={icon} />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
