import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useContext, useEffect, type ReactNode } from 'react';
import { AccountContext } from '../api/session.js';
import { Icon } from '../components/icons.js';
import { keyName } from '../components/key-names.js';
import { useRovingFocus } from '../components/roving-focus.js';
import { useDialogs } from '../components/use-dialogs.js';
import { AccountMenu } from './account-menu.js';
import { AccountSwitcher } from './account-switcher.js';
import { FormerUserNotice } from './former-user-notice.js';
import { NavigationLinks } from './navigation-links.js';
import { ProductMark } from '../components/product-mark.js';
import classes from './shell.module.css';
import { usePaletteKeys } from './use-palette-keys.js';
import { useQuestionMark } from './use-question-mark.js';
import { loadPart } from '../load-part.js';

const CommandPalette = lazy(() => loadPart(() => import('./command-palette.js')));
const ShortcutList = lazy(() => loadPart(() => import('./shortcut-list.js')));

/** Header, navigation and page. */
export function Shell({ children }: { children: ReactNode }) {
  const account = useContext(AccountContext);
  const [navigationOpen, navigation] = useDisclosure(false);
  const dialogs = useDialogs();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const tools = useRovingFocus<HTMLDivElement>();
  const { close } = navigation;
  useEffect(close, [path, close]);
  usePaletteKeys(() => {
    if (dialogs.dialog === 'commands') void dialogs.close();
    else dialogs.open('commands');
  });
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
          variant="subtle"
          color="gray"
          aria-label="Menu"
          aria-expanded={navigationOpen}
          onClick={navigation.toggle}
        >
          <Icon name="menu" />
        </ActionIcon>
        <Link className={classes.name} to="/{-$accountId}" aria-label="Document Service">
          <ProductMark className={classes.mark} />
          <span className={classes.productName}>Document Service</span>
        </Link>
        <span className={classes.divider} />
        <AccountSwitcher />
        <div className={classes.tools} role="toolbar" aria-label="Tools" {...tools}>
          {account && (
            <Button
              variant="subtle"
              color="gray"
              size="sm"
              className={classes.palette ?? ''}
              leftSection={<Icon name="search" size={16} />}
              rightSection={
                <Kbd className={classes.paletteKeys} size="xs" aria-hidden="true">
                  {keyName('Ctrl+K')}
                </Kbd>
              }
              onClick={() => {
                dialogs.open('commands');
              }}
            >
              <span className={classes.paletteHint}>Search or jump to…</span>
            </Button>
          )}
          <AccountMenu />
        </div>
      </header>
      <NavigationLinks account={account} isOpen={navigationOpen} />
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
