import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useContext, useEffect, type ReactNode } from 'react';
import { AccountContext } from '../api/session.js';
import { Icon } from '../components/icons.js';
import { useDialogs } from '../components/use-dialogs.js';
import { AccountMenu } from './account-menu.js';
import { AccountSwitcher } from './account-switcher.js';
import { NAVIGATION } from './navigation.js';
import classes from './shell.module.css';
import { useQuestionMark } from './use-question-mark.js';
import { loadPart } from '../load-part.js';

const CommandPalette = lazy(() => loadPart(() => import('./command-palette.js')));
const ShortcutList = lazy(() => loadPart(() => import('./shortcut-list.js')));

/** Head, navigation and the place of the page. */
export function Shell({ children }: { children: ReactNode }) {
  const account = useContext(AccountContext);
  const [navigationOpen, navigation] = useDisclosure(false);
  const dialogs = useDialogs();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { close } = navigation;
  useEffect(close, [path, close]);
  useHotkeys(
    [
      [
        'mod+K',
        () => {
          if (dialogs.dialog === 'commands') void dialogs.close();
          else dialogs.open('commands');
        },
      ],
    ],
    [],
  );
  useQuestionMark(() => {
    if (dialogs.dialog === undefined) dialogs.open('shortcuts');
  });

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {/\/documents$/.test(path) && (
        <a className={classes.skip} href="#list">
          Skip to the list
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
          <span className={classes.productName}>Document Service</span>
        </Link>
        <AccountSwitcher />
        <span className={classes.space} />
        {account && (
          <Button
            variant="default"
            size="xs"
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
      </header>
      <nav className={classes.nav} aria-label="Main" data-open={navigationOpen || undefined}>
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
      <main className={classes.main} id="main" tabIndex={-1}>
        {children}
      </main>
      <Suspense fallback={null}>
        {account && dialogs.dialog === 'commands' && <CommandPalette onClose={dialogs.close} />}
        {dialogs.dialog === 'shortcuts' && <ShortcutList onClose={dialogs.close} />}
      </Suspense>
    </div>
  );
}
