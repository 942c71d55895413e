const BASE = '/dashboard/';
const HOME = BASE;
/** Paths below {@link BASE} that the service answers itself. */
const NO_PAGES = ['api', 'receivers', 'assets'].map((name) => `${BASE}${name}/`);
/** Pages that are not opened after signing in. */
const SIGNED_OUT_PAGES = [
  'sign-in',
  'sign-up',
  'forgot-password',
  'welcome',
  'invitation',
  'password',
].map((name) => BASE + name);

/**
 * Returns the page to open after signing in: `next` if it is the path of a page of this dashboard, else the first page.
 * The browser's parser interprets `next`, so `//evil`, `/\evil` and `javascript:` lead to no other site.
 */
export function pathAfterSignIn(next: string | undefined): string {
  const { origin } = window.location;
  if (next === undefined || !next.startsWith('/') || !URL.canParse(next, origin)) return HOME;
  const url = new URL(next, origin);
  const isPage =
    url.origin === origin &&
    url.pathname.startsWith(BASE) &&
    !url.pathname.includes('//') &&
    !NO_PAGES.some((path) => url.pathname.startsWith(path)) &&
    !SIGNED_OUT_PAGES.includes(url.pathname.replace(/\/$/, ''));
  return isPage ? url.pathname + url.search + url.hash : HOME;
}
