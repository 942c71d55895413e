import { initialsOf } from '../../packages/dashboard/src/components/initials.js';
import { landingPage, navigationFor } from '../../packages/dashboard/src/shell/navigation.js';
import { ROLE_SCOPES, type Role } from '../../src/features/auth/roles.js';
import type { Scope } from '../../src/features/auth/scopes.js';

const accessOf = (role: Role) => {
  const scopes: readonly Scope[] = ROLE_SCOPES[role];
  return { may: (scope: Scope) => scopes.includes('*') || scopes.includes(scope) };
};
const shownTo = (role: Role) =>
  navigationFor(accessOf(role)).map(({ name = '', pages }) => [
    name,
    ...pages.map((page) => page.name),
  ]);

describe('The navigation', () => {
  it.each(['owner', 'admin'] as const)('The navigation shows every page to an %s', (role) => {
    expect(shownTo(role)).toEqual([
      ['', 'Overview'],
      ['Write', 'Documents', 'Templates', 'Proposals'],
      ['Develop', 'API keys', 'Webhooks', 'Events', 'Requests', 'Jobs'],
      ['Manage', 'Members', 'Audit log', 'Settings'],
    ]);
  });

  it('The navigation shows a member neither API keys nor the audit log', () => {
    expect(shownTo('member')).toEqual([
      ['', 'Overview'],
      ['Write', 'Documents', 'Templates', 'Proposals'],
      ['Develop', 'Webhooks', 'Events', 'Requests', 'Jobs'],
      ['Manage', 'Members', 'Settings'],
    ]);
  });

  it('The navigation shows releases only while publishing is on', () => {
    const names = (publishes: boolean | undefined) =>
      navigationFor(accessOf('viewer'), publishes).flatMap(({ pages }) =>
        pages.map(({ name }) => name),
      );
    expect(names(true)).toContain('Releases');
    expect(names(false)).not.toContain('Releases');
    expect(names(undefined)).not.toContain('Releases');
  });

  it('The navigation shows a viewer no pages for developers', () => {
    expect(shownTo('viewer')).toEqual([
      ['', 'Overview'],
      ['Write', 'Documents', 'Templates', 'Proposals'],
      ['Manage', 'Members', 'Settings'],
    ]);
  });

  it.each([
    ['owner', 'overview'],
    ['admin', 'overview'],
    ['member', 'documents'],
    ['viewer', 'documents'],
  ] as const)('The navigation lets an account begin for its %s with the page %s', (role, page) => {
    expect(landingPage(accessOf(role))).toBe(`/{-$accountId}/${page}`);
  });
});

describe('The initials of a name', () => {
  it.each([
    ['Ada Lovelace', 'AL'],
    ['Ada King of Lovelace', 'AL'],
    ['ada', 'A'],
    ['  Émile  Zola ', 'ÉZ'],
    ['🦊 Fox', '🦊F'],
    ['', ''],
  ])('The initials of the name %j are %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
