import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { bodyOf } from '../api/client.js';
import { usePublishing } from '../api/publishing.js';
import { every } from '../api/queries.js';
import { useAccount, type CurrentAccount } from '../api/session.js';
import { Icon } from '../components/icons.js';
import { useRovingFocus } from '../components/roving-focus.js';
import classes from './navigation-links.module.css';
import { navigationFor, type NavigationGroup } from './navigation.js';

/** Narrower windows show the navigation as a menu with folded groups; as in shell.module.css. */
const PHONE = '(width < 54rem)';

interface NavigationLinksProps {
  account: CurrentAccount | undefined;
  /** On phones. */
  isOpen: boolean;
}

/** The links to the pages of the account. The Tab key stops at them once; arrow keys move between them. */
export function NavigationLinks({ account, isOpen }: NavigationLinksProps) {
  const roving = useRovingFocus<HTMLElement>({ start: '[aria-current=page]', lines: 'li' });
  return (
    <nav
      className={classes.nav}
      aria-label="Main"
      data-open={isOpen ? true : undefined}
      {...roving}
    >
      {account && <Groups account={account} />}
      <ul className={classes.links}>
        <li>
          <a className={classes.link} href="/docs" target="_blank" rel="noreferrer">
            <Icon name="book" />
            Docs
            <span className={classes.external}>
              <Icon name="external" size={14} />
            </span>
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Groups({ account }: { account: CurrentAccount }) {
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const { data } = usePublishing();
  return (
    <ul className={classes.groups}>
      {navigationFor(account, data?.enabled).map((group) => (
        <Group
          key={group.name ?? ''}
          group={group}
          accountId={account.id}
          folds={isPhone && group.name !== undefined}
        />
      ))}
    </ul>
  );
}

interface GroupProps {
  group: NavigationGroup;
  accountId: string;
  /** True if the heading folds the group. It begins folded, unless it has the current page. */
  folds: boolean;
}

function Group({ group: { name, pages }, accountId, folds }: GroupProps) {
  const headingId = useId();
  const isCurrent = useRouterState({
    select: ({ location }) => pages.some(({ to }) => location.pathname.includes(pathOf(to))),
  });
  const [chosen, setChosen] = useState<boolean>();
  const isUnfolded = !folds || (chosen ?? isCurrent);
  return (
    <li className={classes.group}>
      {name !== undefined && (
        <h2 className={classes.heading} id={headingId}>
          {folds ? (
            <button
              type="button"
              className={classes.fold}
              aria-expanded={isUnfolded}
              onClick={() => {
                setChosen(!isUnfolded);
              }}
            >
              {name}
              <Icon name="down" size={14} />
            </button>
          ) : (
            name
          )}
        </h2>
      )}
      {isUnfolded && (
        <ul className={classes.links} aria-labelledby={name === undefined ? undefined : headingId}>
          {pages.map(({ to, name: page, icon }) => (
            <li key={to}>
              <Link
                className={classes.link}
                to={to}
                params={{ accountId }}
                activeOptions={{ includeSearch: false }}
              >
                <Icon name={icon} />
                {page}
                {icon === 'proposals' && <OpenProposals />}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The number of open proposals. */
function OpenProposals() {
  const { id, api } = useAccount();
  const { data } = useQuery({
    queryKey: [id, 'proposals', 'count'],
    queryFn: () => bodyOf(api.GET('/v1/proposals', { params: { query: { limit: 1 } } })),
    // Pages with the event stream refresh it at once.
    refetchInterval: every(60_000) as never,
  });
  const count = data?.meta.pagination.total ?? 0;
  if (count === 0) return null;
  return (
    <span className={classes.external}>
      {count}
      <span className="visually-hidden"> open</span>
    </span>
  );
}

/** Returns the last part of a path, with its slash. */
function pathOf(to: string): string {
  return to.slice(to.lastIndexOf('/'));
}
