import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { currentAccount, preferredAccount, sessionQuery } from './api/session.js';
import { PageFailure } from './components/page-failure.js';
import { PageLoading } from './components/page-loading.js';
import { loadAlone, loadPart } from './load-part.js';
import { parseSearch, writeSearch } from './search-state.js';
import { AccountLayout } from './shell/account-layout.js';
import { landingPage } from './shell/navigation.js';
import { NotFoundPage } from './shell/not-found-page.js';
import { PersonalLayout } from './shell/personal-layout.js';
import { RootLayout } from './shell/root-layout.js';
import { SignedInLayout } from './shell/signed-in-layout.js';

interface RouterContext {
  queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
});

// Pages for people who have not signed in. ---------------------------------------------------------------------------

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  component: lazyRouteComponent(
    () => loadPart(() => import('./pages/sign-in/sign-in-page.js')),
    'SignInPage',
  ),
});
const signUp = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-up',
  component: lazyRouteComponent(
    () => loadPart(() => import('./pages/sign-in/sign-up-page.js')),
    'SignUpPage',
  ),
});
const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: 'forgot-password',
  component: lazyRouteComponent(
    () => loadPart(() => import('./pages/sign-in/forgot-password-page.js')),
    'ForgotPasswordPage',
  ),
});
const linkPage = (path: 'welcome' | 'invitation' | 'password') =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: lazyRouteComponent(
      () => loadPart(() => import('./pages/sign-in/link-page.js')),
      'LinkPage',
    ),
  });

// Pages of a person. -------------------------------------------------------------------------------------------------

/** Redirects people who are not signed in to the sign-in page, and back afterwards. */
const signedIn = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: SignedInLayout,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.query({
      ...sessionQuery,
      staleTime: 'static',
    });
    if (!session.user) {
      redirect({
        to: '/sign-in',
        search: { next: location.publicHref },
        replace: true,
        throw: true,
      });
    }
    return { session };
  },
});
const personal = createRoute({
  getParentRoute: () => signedIn,
  id: 'personal',
  component: PersonalLayout,
});
const profile = createRoute({
  getParentRoute: () => personal,
  path: 'profile',
  component: lazyRouteComponent(
    () => loadPart(() => import('./pages/profile/profile-page.js')),
    'ProfilePage',
  ),
});

const authorize = createRoute({
  getParentRoute: () => signedIn,
  path: 'authorize',
  component: lazyRouteComponent(
    () => loadPart(() => import('./pages/authorize/authorize-page.js')),
    'AuthorizePage',
  ),
});

// Pages of an account. -----------------------------------------------------------------------------------------------

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '{-$accountId}',
  component: AccountLayout,
  beforeLoad: ({ context, params, location }) => {
    if (params.accountId !== undefined) return;
    const preferred = preferredAccount(context.session.accounts);
    if (!preferred) return redirect({ to: '/profile', replace: true, throw: true });
    const page = location.pathname.replace(/^\/+/, '');
    redirect({
      href: `/${preferred.id}/${page}${location.searchStr}`,
      replace: true,
      throw: true,
    });
  },
});
const index = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad: ({ context, params }) => {
    const { user, accounts, roles } = context.session;
    const membership = accounts.find(({ id }) => id === params.accountId);
    const to =
      user && membership
        ? landingPage(currentAccount(user, membership, roles))
        : '/{-$accountId}/overview';
    redirect({ to, params, replace: true, throw: true });
  },
});

type Importer = () => Promise<Record<string, never>>;

function accountPage<const Path extends string, Module extends Record<string, unknown>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({
    getParentRoute: () => account,
    path,
    component: lazyRouteComponent(() => loadPart(load as unknown as Importer), name),
  });
}

const documentsPages = () => import('./pages/documents/documents-page.js');

/** Stays mounted below the panel of a delivery, which has its own URL. */
const webhook = accountPage(
  'webhooks/$webhookId',
  () => import('./pages/webhooks/webhook-page.js'),
  'WebhookPage',
);
const delivery = createRoute({
  getParentRoute: () => webhook,
  path: 'deliveries/$deliveryId',
  component: lazyRouteComponent(
    () => loadPart(() => import('./pages/webhooks/delivery-panel.js')),
    'DeliveryPanel',
  ),
});

/** A new document gets another URL when it is created. One component renders both, so that nothing is remounted. */
const writing = createRoute({
  getParentRoute: () => account,
  id: 'writing',
  component: lazyRouteComponent(
    () => loadAlone(() => import('./pages/documents/document-page.js')),
    'DocumentPage',
  ),
});
const newDocument = createRoute({
  getParentRoute: () => writing,
  path: 'documents/new',
  beforeLoad: ({ location }) => ({
    documentSession: (location.state as { documentSession?: string }).documentSession,
  }),
});
const document = createRoute({ getParentRoute: () => writing, path: 'documents/$documentId' });

const accountPages = [
  createRoute({
    getParentRoute: () => account,
    path: 'overview',
    component: lazyRouteComponent(
      () => loadAlone(() => import('./pages/overview/overview-page.js')),
      'OverviewPage',
    ),
  }),
  accountPage('documents', documentsPages, 'DocumentsPage'),
  writing.addChildren([newDocument, document]),
  accountPage(
    'documents/$documentId/history',
    () => import('./pages/documents/history-page.js'),
    'HistoryPage',
  ),
  accountPage('templates', () => import('./pages/templates/templates-page.js'), 'TemplatesPage'),
  accountPage(
    'templates/$templateId',
    () => import('./pages/templates/template-page.js'),
    'TemplatePage',
  ),
  accountPage('proposals', () => import('./pages/proposals/proposals-page.js'), 'ProposalsPage'),
  accountPage('releases', () => import('./pages/releases/releases-page.js'), 'ReleasesPage'),
  accountPage('keys', () => import('./pages/keys/keys-page.js'), 'KeysPage'),
  accountPage('webhooks', () => import('./pages/webhooks/webhooks-page.js'), 'WebhooksPage'),
  webhook.addChildren([delivery]),
  accountPage('events', () => import('./pages/events/events-page.js'), 'EventsPage'),
  accountPage('requests', () => import('./pages/requests/requests-page.js'), 'RequestsPage'),
  accountPage(
    'requests/$requestId',
    () => import('./pages/requests/request-page.js'),
    'RequestPage',
  ),
  accountPage('audit', () => import('./pages/audit/audit-page.js'), 'AuditPage'),
  accountPage('jobs', () => import('./pages/jobs/jobs-page.js'), 'JobsPage'),
  accountPage('members', () => import('./pages/members/members-page.js'), 'MembersPage'),
  accountPage('settings', () => import('./pages/settings/settings-page.js'), 'SettingsPage'),
] as const;

const routeTree = rootRoute.addChildren([
  signIn,
  signUp,
  forgotPassword,
  linkPage('welcome'),
  linkPage('invitation'),
  linkPage('password'),
  signedIn.addChildren([
    personal.addChildren([profile]),
    authorize,
    account.addChildren([index, ...accountPages]),
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/dashboard',
    context: { queryClient },
    parseSearch,
    stringifySearch: writeSearch,
    defaultErrorComponent: PageFailure,
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPreload: 'intent',
    scrollRestoration: true,
    notFoundMode: 'root',
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
