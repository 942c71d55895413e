const BASE = '/dashboard/';
const HOME = BASE;
/** Below {@link BASE} but no pages: the service answers there itself. */
const NO_PAGES = ['api', 'receivers', 'assets'].map((name) => `${BASE}${name}/`);
/** Pages that are not opened after signing in. */
const SIGNED_OUT_PAGES = ['sign-in', 'sign-up', 'welcome', 'invitation', 'password'].map(
  (name) => BASE + name,
);

/**
 * Where to go after signing in: `next` if it is the path of a page of this dashboard, else the first page. The browser's own
 * parser decides what `next` means, so that `//evil`, `/\evil` and `javascript:` lead nowhere else.
 */
export function pathAfterSignIn(next: string | undefined, origin = window.location.origin): string {
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
